import { ruleSet } from "../../../core/tool/AuditTool.ts"
import { body, cppBody, mistake, unsafe } from "./native.ts"

/** Lifetimes of memory in C and C++. */
export const memoryRules = ruleSet({
  use_after_free: unsafe({
    title: "Use after free",
    description:
      "The memory may already hold something else, which an attacker can choose; or the program crashes. The pointer was freed " +
      "on every path to the use. Use it before, or set it to another object first.",
    example: body(
      "int close_order(struct order *order)",
      "free(order);\nreturn order->id;",
      "int id = order->id;\nfree(order);\nreturn id;"
    ),
    cwe: [416],
    confidence: 0.92
  }),
  double_free: unsafe({
    title: "Double free",
    description:
      "The heap is corrupted, which can be used to run code. The pointer was freed on every path to the second call. Remove one " +
      "of them, or set the pointer to NULL after the first.",
    example: body("void drop(char *name)", "free(name);\nnote();\nfree(name);", "free(name);\nnote();"),
    cwe: [415],
    confidence: 0.92
  }),
  null_dereference: unsafe({
    title: "Null pointer dereference",
    description:
      "The program crashes whenever it comes here. The pointer is null on every path to the access: it was compared with null, " +
      "or set to it, just before. Return in that case, or invert the condition.",
    example: body(
      "int size_of(struct order *order)",
      "if (order == NULL)\n    note(order->id);\nreturn 0;",
      "if (order != NULL)\n    note(order->id);\nreturn 0;"
    ),
    cwe: [476],
    category: "correctness",
    priority: "P2",
    confidence: 0.9
  }),
  unchecked_allocation: unsafe({
    title: "Allocation used without a null check",
    description:
      "The program crashes when memory is exhausted, or writes near address 0. The result of the allocation is accessed " +
      "before it is compared with NULL. Check it, or use an allocator that ends the program.",
    example: body(
      "char *blank(void)",
      "char *p = malloc(8);\np[0] = 0;\nreturn p;",
      "char *p = malloc(8);\nif (p != NULL)\n    p[0] = 0;\nreturn p;"
    ),
    cwe: [690, 476],
    category: "correctness",
    priority: "P3",
    confidence: 0.68
  }),
  uninitialized_variable: unsafe({
    title: "Use of an uninitialized variable",
    description:
      "The result depends on what was in memory, and may disclose it. No path to this read gives the variable a value. " +
      "Initialise it, or assign it on every path.",
    example: body("int total(int n)", "int sum;\nsum += n;\nreturn sum;", "int sum = 0;\nsum += n;\nreturn sum;"),
    cwe: [457],
    category: "correctness",
    priority: "P2",
    confidence: 0.9
  }),
  lost_reallocation: unsafe({
    title: "Memory leak: realloc assigned to its own argument",
    description:
      "When memory is exhausted the block is lost and the pointer is NULL. `realloc` leaves the block as it is when it fails. " +
      "Assign the result to another variable and compare it first.",
    example: body(
      "int grow(struct list *list)",
      "list->items = realloc(list->items, list->size * 2);\nreturn list->items != NULL;",
      "void *items = realloc(list->items, list->size * 2);\nif (items == NULL)\n    return 0;\nlist->items = items;\nreturn 1;"
    ),
    cwe: [401],
    category: "correctness",
    priority: "P3",
    confidence: 0.75
  }),
  address_of_local_returned: unsafe({
    title: "Address of a local variable returned",
    description:
      "The caller reads and writes memory that other functions use. The variable exists only until the function returns. Let " +
      "the caller pass a buffer, allocate one, or declare it `static`.",
    example: body(
      "char *name_of(int id)",
      'char name[16];\nsnprintf(name, sizeof(name), "%d", id);\nreturn name;',
      'static char name[16];\nsnprintf(name, sizeof(name), "%d", id);\nreturn name;'
    ),
    cwe: [562],
    confidence: 0.95
  }),
  mismatched_release: unsafe({
    languages: ["cpp"],
    title: "Mismatched allocation and release",
    description:
      "The heap is corrupted, or destructors do not run. Memory of `new[]` belongs to `delete[]`, of `new` to `delete`, of " +
      "`malloc` to `free`. Use the matching one, or a `std::vector` or `std::unique_ptr`.",
    example: cppBody(
      "void f(int n)",
      "int *p = new int[n];\nuse(p);\ndelete p;",
      "int *p = new int[n];\nuse(p);\ndelete[] p;"
    ),
    cwe: [762],
    confidence: 0.95,
    priority: "P2"
  }),
  delete_of_void_pointer: unsafe({
    languages: ["cpp"],
    title: "delete of a void pointer",
    description:
      "No destructor runs, so what the object holds is leaked, and the behaviour is undefined. The type of the object is not " +
      "known at the `delete`. Cast to the type first.",
    example: cppBody("void drop(void *p)", "delete p;", "delete static_cast<Order *>(p);"),
    cwe: [762],
    confidence: 0.93,
    category: "correctness",
    priority: "P2"
  }),
  invalidated_iterator: unsafe({
    languages: ["cpp"],
    title: "Iterator advanced after its element was erased",
    description:
      "The loop reads freed memory or skips elements. `erase` makes the iterator invalid, and the loop then advances it. Assign " +
      "what `erase` returns, and advance only where nothing was erased.",
    example: cppBody(
      "void prune(std::vector<int>& v)",
      "for (auto it = v.begin(); it != v.end(); ++it) {\n    if (*it == 0) {\n        v.erase(it);\n    }\n}",
      "for (auto it = v.begin(); it != v.end();) {\n    if (*it == 0) it = v.erase(it);\n    else ++it;\n}"
    ),
    cwe: [416, 672],
    confidence: 0.92,
    priority: "P2"
  }),
  dangling_text: unsafe({
    languages: ["cpp"],
    title: "Pointer into a temporary string",
    description:
      "The pointer points to freed memory. The string that `c_str` was called on is destroyed at the end of the statement. " +
      "Keep the string in a variable as long as the pointer is used.",
    example: cppBody(
      "void show(const std::string& a)",
      'const char *p = (a + "!").c_str();\nuse(p);',
      'std::string text = a + "!";\nconst char *p = text.c_str();\nuse(p);'
    ),
    cwe: [416],
    confidence: 0.92,
    priority: "P2"
  }),
  thrown_pointer: mistake({
    languages: ["cpp"],
    title: "Exception thrown as a pointer",
    description:
      "Handlers for the type do not catch the exception, and no one deletes the object. `throw new` throws a pointer. Throw the " +
      "object itself.",
    example: cppBody("void fail()", 'throw new std::runtime_error("no");', 'throw std::runtime_error("no");'),
    cwe: [755],
    confidence: 0.85
  }),
  exception_caught_by_value: mistake({
    languages: ["cpp"],
    title: "Exception caught by value",
    description:
      "What a derived class adds, its message for instance, is lost. Catching by value copies the part of the base class only. " +
      "Catch by `const &`.",
    example: cppBody(
      "void f()",
      "try {\n    work();\n} catch (std::exception e) {\n    note(e.what());\n}",
      "try {\n    work();\n} catch (const std::exception& e) {\n    note(e.what());\n}"
    ),
    cwe: [755],
    confidence: 0.85,
    priority: "P3"
  }),
  destructor_not_virtual: mistake({
    languages: ["cpp"],
    title: "Base class without a virtual destructor",
    description:
      "Deleting a derived object through a pointer to the base is undefined: the derived destructor does not run. The class has " +
      "virtual functions and classes derived from it. Declare the destructor `virtual`, or protected where nothing deletes so.",
    example: {
      path: "src/shape.cc",
      bad: "class Shape {\n public:\n  virtual double area() const = 0;\n};\nclass Circle : public Shape {\n  double area() const override;\n};\n",
      good: "class Shape {\n public:\n  virtual ~Shape() = default;\n  virtual double area() const = 0;\n};\nclass Circle : public Shape {\n  double area() const override;\n};\n"
    },
    cwe: [1079],
    confidence: 0.6,
    priority: "P3"
  })
})
