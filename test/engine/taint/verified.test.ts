import { assert, it } from "@effect/vitest"
import { scan } from "../../../src/engine/core/scan/Engine.ts"
import path_traversal from "../../../src/engine/rules/path_traversal/tool.ts"
import sql_injection from "../../../src/engine/rules/sql_injection/tool.ts"
import { treeOf } from "../../support/audit.ts"

it("a flow into another file stands although the name of its source is not in that file", async () => {
  const tree = treeOf({
    "app/models/user.rb": `class User < ApplicationRecord
  def self.named(text)
    where("name LIKE '%#{text}%'")
  end
end
`,
    "app/controllers/users_controller.rb": `class UsersController < ApplicationController
  def index
    User.named(params[:q])
  end
end
`
  })
  const { findings, dropped_by_verification } = await scan(tree, { suite: "full", tools: [sql_injection] })
  assert.strictEqual(dropped_by_verification, 0)
  assert.deepStrictEqual(
    findings.map(({ rule_id, locations, steps }) => [rule_id, locations[0].file_path, steps[0]?.file_path]),
    [["sql_injection.untrusted_sql", "app/models/user.rb", "app/controllers/users_controller.rb"]]
  )
})

it("a flow reported where it leaves its file is confirmed although the name of its sink is not in that file", async () => {
  const tree = treeOf({
    "src/main/java/shop/Shelf.java": `package shop;
import java.io.File;
import java.io.FileInputStream;
public class Shelf {
  public static boolean copy(File src, File dest) throws Exception {
    FileInputStream in = new FileInputStream(src);
    in.close();
    return true;
  }
}
`,
    "src/main/java/shop/OrderServlet.java": `package shop;
import java.io.File;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
public class OrderServlet extends HttpServlet {
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    String name = request.getParameter("name");
    Shelf.copy(new File(name), new File("/srv/orders"));
  }
}
`
  })
  const { findings, dropped_by_verification } = await scan(tree, { suite: "full", tools: [path_traversal] })
  assert.strictEqual(dropped_by_verification, 0)
  assert.deepStrictEqual(
    findings.map(({ rule_id, locations, steps }) => [rule_id, locations[0].file_path, steps.at(-1)?.file_path]),
    [["path_traversal.untrusted_path", "src/main/java/shop/OrderServlet.java", "src/main/java/shop/Shelf.java"]]
  )
})
