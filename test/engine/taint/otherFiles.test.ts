import { describe } from "vitest"
import { holds } from "./flows.ts"

describe("through functions of other files", () => {
  holds("a Ruby controller and a scope of its model", {
    "app/controllers/users_controller.rb": `class UsersController < ApplicationController
  def index
    User.named(params[:q])
    User.older(params[:age])
  end
end
`,
    "app/models/user.rb": `class User < ApplicationRecord
  def self.named(text)
    where("name LIKE '%#{text}%'") # REACHED
  end

  def self.older(age)
    where("age > ?", age)
  end
end
`
  })
  holds("a Ruby service that is made first", {
    "app/controllers/exports_controller.rb": `class ExportsController < ApplicationController
  def create
    exporter = Exporter.new
    exporter.run(params[:name])
    exporter.count(params[:name])
  end
end
`,
    "app/services/exporter.rb": `class Exporter
  def run(name)
    system("tar cf out.tar #{name}") # REACHED
  end

  def count(name)
    system("wc", name)
  end
end
`
  })
  holds("a C# controller, an interface and its class", {
    "Web/UsersController.cs": `public class UsersController : Controller
{
  private readonly IUserStore _users;
  public UsersController(IUserStore users) { _users = users; }
  [HttpGet]
  public IActionResult List(string name, int id)
  {
    _users.ById(id.ToString());
    return Ok(_users.Named(name));
  }
}
`,
    "Data/UserStore.cs": `public class UserStore : IUserStore
{
  private readonly SqlConnection _connection;
  public object Named(string name)
  {
    return new SqlCommand("SELECT * FROM users WHERE name = '" + name + "'", _connection); // REACHED
  }
  public object ById(string id)
  {
    return new SqlCommand("SELECT * FROM users WHERE id = " + id, _connection);
  }
}
`
  })
  holds("a C# helper with static methods", {
    "Web/ToolsController.cs": `public class ToolsController : Controller
{
  [HttpPost]
  public void Run(string file) { Shell.Run("/c convert " + file); } // REACHED
}
`,
    "Web/Shell.cs": `using System.Diagnostics;
public static class Shell
{
  public static void Run(string line) { Process.Start("cmd.exe", line); }
}
`
  })
  holds("a Java service behind an interface", {
    "src/a/Users.java": `package a;
import org.springframework.web.bind.annotation.*;
class Users {
  private final UserStore store;
  Users(UserStore store) { this.store = store; }
  @GetMapping("/x") String list(@RequestParam String name) { return store.named(name); }
}
`,
    "src/a/UserStoreImpl.java": `package a;
import java.sql.*;
public class UserStoreImpl implements UserStore {
  private Statement st;
  public String named(String name) throws Exception {
    st.executeQuery("SELECT * FROM users WHERE name = '" + name + "'"); // REACHED
    return name;
  }
}
`
  })
})

describe("rules of their own", () => {
  holds("a filter takes what was sent as an object", {
    "server/mongo.js": `const { MongoClient } = require("mongodb")
const users = new MongoClient("x").db().collection("users")
app.post("/x", (req, res) => {
  const { name } = req.body
  users.findOne({ name }) // REACHED
  users.findOne({ name: String(name) })
  users.findOne({ name: { $eq: name } })
  let other = name
  if (typeof other !== "string") return
  users.findOne({ other })
  users.find({ $where: "this.a == '" + req.query.a + "'" }) // REACHED
  users.find({ $where: "this.a == " + Number(req.query.a) })
})
`
  })
  holds("the name of a program comes from the request", {
    "server/run.js": `const { spawn } = require("child_process")
const tools = { a: "ls" }
app.post("/x", (req, res) => {
  spawn(req.body.tool, []) // REACHED
  spawn(tools[req.body.tool], [])
  spawn("ls", [req.body.tool])
})
`,
    "app/controllers/run_controller.rb": `class RunController < ApplicationController
  TOOLS = { "a" => "ls" }.freeze
  def create
    system(params[:tool], "-l") # REACHED
    system(TOOLS.fetch(params[:tool]), "-l")
    system("ls", params[:tool])
  end
end
`,
    "Web/RunController.cs": `public class RunController : Controller
{
  [HttpPost]
  public void Create(string tool)
  {
    Process.Start(tool, "-l"); // REACHED
    Process.Start("ls", "-l");
  }
}
`
  })
})

describe("what only Ruby and C# have", () => {
  holds("a method without arguments, a heredoc, a modifier and an unless", {
    "app/controllers/x_controller.rb": `class XController < ApplicationController
  def show
    sql = "SELECT * FROM t"
    sql += " WHERE a = '#{wanted}'" if wanted.present?
    User.find_by_sql(sql) # REACHED
    order = params[:order]
    order = "asc" unless order == "desc"
    User.find_by_sql("SELECT * FROM t ORDER BY a #{order}")
    User.find_by_sql(<<~SQL.squish) # REACHED
      SELECT * FROM t
      WHERE b = #{params[:b]}
    SQL
  end

  private

  def wanted
    params[:wanted]
  end
end
`
  })
  holds("lines of a Ruby text are not the text", {
    "app/controllers/x_controller.rb": `class XController < ApplicationController
  def show
    name = params[:name]
    return unless name =~ /^[a-z]+$/
    system("ls #{name}") # REACHED
    other = params[:other]
    return unless other =~ /\\A[a-z]+\\z/
    system("ls #{other}")
  end
end
`
  })
  holds("a case, a rescue and the last value of a method", {
    "app/controllers/x_controller.rb": `class XController < ApplicationController
  def show
    User.find_by_sql("SELECT * FROM t ORDER BY #{column}")
    User.find_by_sql("SELECT * FROM t WHERE a = '#{chosen}'") # REACHED
  end

  def column
    case params[:column]
    when "a" then "first"
    else "second"
    end
  end

  def chosen
    if params[:a].blank?
      "all"
    else
      params[:a]
    end
  rescue ArgumentError
    "none"
  end
end
`
  })
  holds("patterns, null checks and typed models of C#", {
    "Web/XController.cs": `public class FilterModel { public int Size { get; set; } public string Name { get; set; } }
public class XController : Controller
{
  private readonly ShopContext _db;
  [HttpPost]
  public void Show([FromBody] FilterModel filter, string? sort, Kind kind)
  {
    _db.Users.FromSqlRaw($"SELECT * FROM t WHERE size = {filter.Size}");
    _db.Users.FromSqlRaw($"SELECT * FROM t WHERE name = '{filter.Name}'"); // REACHED
    _db.Users.FromSqlRaw($"SELECT * FROM t WHERE kind = '{kind}'");
    if (sort is "a" or "b") _db.Users.FromSqlRaw("SELECT * FROM t ORDER BY " + sort);
    _db.Users.FromSqlRaw("SELECT * FROM t ORDER BY " + (sort ?? "a")); // REACHED
    _db.Users.FromSqlRaw("SELECT * FROM t ORDER BY " + sort!.Trim()); // REACHED
    var text = string.Format("SELECT * FROM t WHERE a = '{0}'", sort);
    _db.Users.FromSqlRaw(text); // REACHED
    if (!Guid.TryParse(sort, out var id)) return;
    _db.Users.FromSqlRaw("SELECT * FROM t WHERE id = '" + sort + "'");
  }
}
`
  })
})
