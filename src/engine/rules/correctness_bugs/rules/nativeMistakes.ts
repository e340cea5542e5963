import { ruleSet } from "../../../core/tool/AuditTool.ts"
import { body, mistake, unsafe } from "./native.ts"

/** Expressions and calls of C and C++ that do something other than what is written. */
export const nativeMistakeRules = ruleSet({
  swapped_fill_arguments: mistake({
    title: "memset with swapped arguments",
    description:
      "Nothing is written: the size is 0, and the number of bytes stands in the place of the value. What was to be cleared " +
      "keeps its content. Swap the two arguments.",
    example: body("void clear(char *p, size_t n)", "memset(p, n, 0);", "memset(p, 0, n);"),
    cwe: [688],
    confidence: 0.95
  }),
  comparison_as_size: mistake({
    title: "Comparison passed as a size",
    description:
      "At most one byte is compared or copied. The closing parenthesis is in the wrong place, so the size is the result of a " +
      "comparison. Move the comparison behind the call.",
    example: body(
      "int same(const char *a, const char *b, size_t n)",
      "return memcmp(a, b, n == 0);",
      "return memcmp(a, b, n) == 0;"
    ),
    cwe: [687, 697],
    confidence: 0.95
  }),
  comparison_bound: mistake({
    title: "Comparison with a bound that does not fit the literal",
    description:
      "Only a part of the literal is compared, so other texts are taken for it, or bytes behind it are read. The number of " +
      "characters was not changed with the literal. Use `sizeof(literal) - 1`.",
    example: body(
      "int is_open(const char *s)",
      'return strncmp(s, "opened", 4) == 0;',
      'return strncmp(s, "opened", 6) == 0;'
    ),
    cwe: [187, 697],
    confidence: 0.75
  }),
  unchecked_privilege_drop: unsafe({
    title: "Privilege drop without checking the result",
    description:
      "The program goes on with the privileges of root. `setuid` and its relatives can fail, for instance when the user has too " +
      "many processes, and the result is discarded. End the program when it is not 0.",
    example: body("void drop(uid_t user)", "setuid(user);", "if (setuid(user) != 0)\n    abort();"),
    cwe: [252, 273],
    confidence: 0.85
  }),
  chroot_without_chdir: unsafe({
    title: "chroot without changing the working directory",
    description:
      'The process leaves the new root with `../`. The working directory stays outside of it. Call `chdir("/")` directly after ' +
      "`chroot`.",
    example: body("int jail(const char *root)", "return chroot(root);", 'return chroot(root) == 0 ? chdir("/") : -1;'),
    cwe: [243],
    confidence: 0.8,
    priority: "P2"
  }),
  predictable_temporary_name: unsafe({
    title: "Predictable temporary file name (mktemp, tmpnam)",
    description:
      "Another user creates the file, or a link to a file of the victim, between the call and the opening. The function only " +
      "makes a name. Use `mkstemp` or `tmpfile`, which also open the file.",
    example: body("FILE *scratch(void)", 'char name[L_tmpnam];\nreturn fopen(tmpnam(name), "w");', "return tmpfile();"),
    cwe: [377],
    confidence: 0.8,
    priority: "P2"
  }),
  unchecked_input: mistake({
    title: "Result of scanf not checked",
    description:
      "Input that does not fit leaves the variables as they were, and the program goes on with them. The result, the number of " +
      "values stored, is discarded. Compare it with the number expected.",
    example: body(
      "int ask(void)",
      'int n = 0;\nscanf("%d", &n);\nreturn n;',
      'int n = 0;\nif (scanf("%d", &n) != 1)\n    return -1;\nreturn n;'
    ),
    cwe: [252],
    confidence: 0.65,
    priority: "P3"
  }),
  check_then_use: unsafe({
    title: "Race condition on a file (TOCTOU)",
    description:
      "Another process replaces the file between the check and the use, by a link for instance. Both name the file by its path. " +
      "Open it first and check the descriptor with `fstat`.",
    example: body(
      "int load(const char *path)",
      "if (access(path, R_OK) != 0)\n    return -1;\nreturn open(path, O_RDONLY);",
      "return open(path, O_RDONLY);"
    ),
    cwe: [367],
    confidence: 0.6,
    priority: "P3"
  }),
  shared_tokenizer: mistake({
    title: "strtok in a program with threads",
    description:
      "Two threads that take texts apart at the same time get each other's words. `strtok` keeps its position in one variable. " +
      "Use `strtok_r`.",
    example: {
      path: "src/words.c",
      bad: 'void *work(void *text)\n{\n    return strtok(text, " ");\n}\n\nvoid run(char *text)\n{\n    pthread_t id;\n    pthread_create(&id, NULL, work, text);\n}\n',
      good: 'void *work(void *text)\n{\n    char *rest;\n    return strtok_r(text, " ", &rest);\n}\n\nvoid run(char *text)\n{\n    pthread_t id;\n    pthread_create(&id, NULL, work, text);\n}\n'
    },
    cwe: [362, 676],
    confidence: 0.6,
    priority: "P3"
  }),
  alloca_in_loop: mistake({
    title: "alloca in a loop",
    description:
      "The stack overflows after enough iterations. What `alloca` allocates is freed when the function returns only. Allocate once " +
      "before the loop, or on the heap.",
    example: body(
      "void all(int n)",
      "for (int i = 0; i < n; i++)\n    use(alloca(64));",
      "char *p = alloca(64);\nfor (int i = 0; i < n; i++)\n    use(p);"
    ),
    cwe: [770],
    confidence: 0.68
  }),
  negated_bit_test: mistake({
    title: "Negation of one operand of a bit test",
    description:
      "The test looks at the lowest bit only and is nearly always false. `!` binds more tightly than `&`. Put the test in " +
      "parentheses: `!(flags & MASK)`.",
    example: body("int is_closed(int flags)", "return !flags & 4;", "return !(flags & 4);"),
    cwe: [783],
    confidence: 0.92
  }),
  bit_test_precedence: mistake({
    title: "Bit test compared before it is made",
    description:
      "The comparison of two constants is made first, and the test is with its result, 0 or 1. `==` binds more tightly than `&`. " +
      "Put the test in parentheses.",
    example: body("int is_open(int flags)", "return flags & 0x10 == 0x10;", "return (flags & 0x10) == 0x10;"),
    cwe: [783],
    confidence: 0.95
  }),
  unsigned_comparison_with_zero: mistake({
    title: "Unsigned value compared with zero",
    description:
      "An error is not noticed, or a loop never ends. The variable is unsigned, so `< 0` is always false and `>= 0` always true. " +
      "Use a signed type, or compare before converting.",
    example: body(
      "int take(int fd, char *p)",
      "size_t n = read(fd, p, 8);\nif (n < 0)\n    return -1;\nreturn 0;",
      "ssize_t n = read(fd, p, 8);\nif (n < 0)\n    return -1;\nreturn 0;"
    ),
    cwe: [570, 571],
    confidence: 0.88
  }),
  literal_comparison: mistake({
    title: "Text compared by address",
    description:
      "Equal texts are different unless the compiler happened to store them once. `==` compares pointers. Use `strcmp`.",
    example: body("int is_open(const char *state)", 'return state == "open";', 'return strcmp(state, "open") == 0;'),
    cwe: [597],
    confidence: 0.95
  }),
  compared_result: mistake({
    title: "Result of a comparison function compared with 1 or -1",
    description:
      "The test works with one library and fails with another. `strcmp` and `memcmp` return any number below, at or above 0. " +
      "Compare with 0.",
    example: body("int after(const char *a, const char *b)", "return strcmp(a, b) == 1;", "return strcmp(a, b) > 0;"),
    cwe: [253],
    confidence: 0.93
  }),
  narrow_end_of_file: mistake({
    title: "Result of getc stored in a char",
    description:
      "A byte 0xFF ends the input early, or the loop never ends. EOF is outside of the values of `char`. Declare the variable " +
      "`int`.",
    example: body(
      "void skip(FILE *in)",
      "char c;\nwhile ((c = getc(in)) != EOF)\n    use(c);",
      "int c;\nwhile ((c = getc(in)) != EOF)\n    use(c);"
    ),
    cwe: [197],
    confidence: 0.93
  }),
  empty_statement_body: mistake({
    title: "Empty statement as the body of a condition",
    description:
      "The block below runs whether the condition holds or not. A semicolon right after the condition is its whole body. Remove " +
      "the semicolon.",
    example: body("void close_if(int done)", "if (done);\n{\n    finish();\n}", "if (done)\n{\n    finish();\n}"),
    cwe: [483, 480],
    confidence: 0.93
  })
})
