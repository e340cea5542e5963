import { ruleSet } from "../../../core/tool/AuditTool.ts"
import { body, unsafe } from "./native.ts"

/** Copies, formats and sizes of C and C++ that do not fit. */
export const bufferRules = ruleSet({
  unbounded_input: unsafe({
    title: "Unbounded input into a buffer (gets, scanf %s)",
    description:
      "Anyone who writes the input overwrites memory behind the buffer, and with it what the program does next. `gets`, and " +
      "`%s` without a width, read as much as there is. Use `fgets`, or a width one less than the size of the buffer.",
    example: body(
      "void ask(void)",
      'char name[32];\nscanf("%s", name);\ngreet(name);',
      'char name[32];\nif (scanf("%31s", name) == 1)\n    greet(name);'
    ),
    cwe: [120, 242],
    confidence: 0.95
  }),
  unbounded_file_input: unsafe({
    title: "Unbounded input from a file into a buffer (fscanf %s)",
    description:
      "A file with a longer word overwrites memory behind the buffer. `%s` without a width reads as much as there is, " +
      "and anyone may have written the file. Give a width one less than the size of the buffer.",
    example: body(
      "int first(FILE *list)",
      'char name[32];\nreturn fscanf(list, "%s", name) == 1 && known(name);',
      'char name[32];\nreturn fscanf(list, "%31s", name) == 1 && known(name);'
    ),
    cwe: [120],
    confidence: 0.85,
    priority: "P2"
  }),
  unbounded_scan_of_text: unsafe({
    title: "Unbounded conversion of a text (sscanf %s)",
    description:
      "A word longer than the buffer overwrites memory behind it. `%s` without a width stores as much as the text holds. " +
      "Give a width one less than the size of the buffer.",
    example: body(
      "int word(const char *line)",
      'char first[16];\nreturn sscanf(line, "%s", first) == 1 && known(first);',
      'char first[16];\nreturn sscanf(line, "%15s", first) == 1 && known(first);'
    ),
    cwe: [120],
    confidence: 0.65,
    priority: "P2"
  }),
  unbounded_copy: unsafe({
    title: "Buffer overflow: unbounded copy of external text",
    description:
      "Anyone who sets the argument or the variable overwrites memory behind the buffer. The copy ends where the text ends, " +
      "not where the buffer does, and nothing compares the length. Use `snprintf` or `strlcpy` with the buffer's size.",
    example: body(
      "void home(void)",
      'char path[64];\nstrcpy(path, getenv("HOME"));\nuse(path);',
      'char path[64];\nsnprintf(path, sizeof(path), "%s", getenv("HOME"));\nuse(path);'
    ),
    cwe: [120, 787]
  }),
  copy_of_parameter: unsafe({
    title: "Copy of a parameter into a fixed-size buffer",
    description:
      "A caller that passes a longer text overwrites memory behind the buffer. The function copies all of it and compares no " +
      "length; whether callers do is not visible here. Use `snprintf` or `strlcpy` with the buffer's size.",
    example: body(
      "void store(const char *name)",
      "char copy[32];\nstrcpy(copy, name);\nuse(copy);",
      'char copy[32];\nsnprintf(copy, sizeof(copy), "%s", name);\nuse(copy);'
    ),
    cwe: [120],
    confidence: 0.65,
    priority: "P2"
  }),
  buffer_too_small: unsafe({
    title: "Buffer too small for a constant text",
    description:
      "Memory behind the buffer is overwritten each time. The text that is copied or formatted is longer than the buffer, the " +
      "terminator included. Enlarge the buffer.",
    example: body(
      "void label(void)",
      'char text[4];\nstrcpy(text, "open");\nuse(text);',
      'char text[5];\nstrcpy(text, "open");\nuse(text);'
    ),
    cwe: [787],
    confidence: 0.95
  }),
  missing_terminator: unsafe({
    title: "strncpy without a terminator",
    description:
      "A text as long as the buffer is read beyond its end, which discloses memory or crashes. `strncpy` with the whole size " +
      "writes no terminator in that case, and nothing in the function adds one. Copy one byte less and set the last to 0.",
    example: body(
      "void keep(const char *name)",
      "char copy[32];\nstrncpy(copy, name, sizeof(copy));\nuse(copy);",
      "char copy[32];\nstrncpy(copy, name, sizeof(copy) - 1);\ncopy[sizeof(copy) - 1] = '\\0';\nuse(copy);"
    ),
    cwe: [170],
    confidence: 0.8,
    priority: "P2"
  }),
  bound_from_source: unsafe({
    title: "Bound taken from the source, not from the target",
    description:
      "A long text overwrites memory behind the buffer although the function takes a bound. The bound is the length of the " +
      "source, which it was to limit. Pass the size of the target.",
    example: body(
      "void keep(const char *name)",
      "char copy[32] = {0};\nstrncpy(copy, name, strlen(name));\nuse(copy);",
      "char copy[32] = {0};\nstrncpy(copy, name, sizeof(copy) - 1);\nuse(copy);"
    ),
    cwe: [787, 806],
    confidence: 0.8
  }),
  append_bound: unsafe({
    title: "strncat: wrong bound",
    description:
      "Memory behind the buffer is overwritten when it is nearly full. The bound of `strncat` is how many characters may be " +
      "appended, without the terminator that it adds. Pass `sizeof(buffer) - strlen(buffer) - 1`.",
    example: body(
      "void add(char *word)",
      'char line[64] = "";\nstrncat(line, word, sizeof(line));\nuse(line);',
      'char line[64] = "";\nstrncat(line, word, sizeof(line) - strlen(line) - 1);\nuse(line);'
    ),
    cwe: [787, 193],
    confidence: 0.93
  }),
  size_of_pointer: unsafe({
    title: "sizeof of a pointer in place of the buffer's size",
    description:
      "Only the first 8 bytes are written, cleared or compared, or more than there are. `sizeof` of a pointer is the size of " +
      "the pointer, whatever it points to. Pass the size along, or use `sizeof(*pointer)`.",
    example: body(
      "void clear(struct order *order)",
      "memset(order, 0, sizeof(order));",
      "memset(order, 0, sizeof(*order));"
    ),
    cwe: [467],
    confidence: 0.92,
    priority: "P2"
  }),
  size_of_array_parameter: unsafe({
    title: "sizeof of an array parameter",
    description:
      "The size is that of a pointer, 8 bytes on most machines, not that of the array. Parameters declared as arrays are " +
      "pointers. Pass the size as another parameter.",
    example: body(
      "int total(int numbers[10])",
      "return sum(numbers + 1, sizeof(numbers));",
      "return sum(numbers + 1, 10 * sizeof(numbers[0]));"
    ),
    cwe: [467],
    confidence: 0.93,
    priority: "P2"
  }),
  no_room_for_terminator: unsafe({
    title: "Allocation without room for the terminator",
    description:
      "The terminator is written behind the block, which corrupts the heap. `strlen` does not count it. Allocate " +
      "`strlen(text) + 1` bytes.",
    example: body(
      "char *copy(const char *text)",
      "char *p = malloc(strlen(text));\nif (p != NULL)\n    strcpy(p, text);\nreturn p;",
      "char *p = malloc(strlen(text) + 1);\nif (p != NULL)\n    strcpy(p, text);\nreturn p;"
    ),
    cwe: [787, 131],
    confidence: 0.93
  }),
  allocation_of_pointer_size: unsafe({
    title: "Allocation of a pointer's size",
    description:
      "Writing the object overwrites memory behind the block, which has the size of a pointer. `sizeof` is taken of the " +
      "pointer, not of what it points to. Write `sizeof(*pointer)`.",
    example: body(
      "struct order *new_order(void)",
      "struct order *order = malloc(sizeof(order));\nreturn order;",
      "struct order *order = malloc(sizeof(*order));\nreturn order;"
    ),
    cwe: [131, 467],
    confidence: 0.92
  }),
  allocation_overflow: unsafe({
    title: "Integer overflow in an allocation's size",
    description:
      "The block is smaller than what is written into it when the product wraps around. Both factors come from the caller, " +
      "and nothing bounds them. Use `calloc` or `reallocarray`, which check the product.",
    example: body(
      "char *image(size_t width, size_t height)",
      "return malloc(width * height);",
      "return calloc(width, height);"
    ),
    cwe: [190, 680],
    confidence: 0.6,
    priority: "P2"
  }),
  allocation_from_input: unsafe({
    title: "Allocation of a size from input without a limit",
    description:
      "A large or negative number exhausts memory, or wraps around to a small block that is then overrun. The size comes from " +
      "parsed input, and nothing compares it. Reject what is out of range before allocating.",
    example: body(
      "char *room(const char *text)",
      "int size = atoi(text);\nreturn malloc(size);",
      "int size = atoi(text);\nif (size <= 0 || size > 4096)\n    return NULL;\nreturn malloc(size);"
    ),
    cwe: [789, 190],
    confidence: 0.65,
    priority: "P2"
  }),
  format_string: unsafe({
    title: "Uncontrolled format string",
    description:
      "Anyone who chooses the text reads memory with `%x` and writes it with `%n`. The text is the format itself, not an argument " +
      'of one. Write `printf("%s", text)`.',
    example: body("void show(const char *text)", "printf(text);", 'printf("%s", text);'),
    cwe: [134],
    confidence: 0.9
  }),
  formatted_length: unsafe({
    title: "snprintf: returned length used as bytes written",
    description:
      "A long value moves the position past the end, and the next size is negative or huge. `snprintf` returns what it would " +
      "have written. Compare the result with the size before adding it.",
    example: body(
      "int list(char *out, int size, const char *name)",
      'int used = 0;\nused += snprintf(out + used, size - used, "%s,", name);\nused += snprintf(out + used, size - used, "%s;", name);\nreturn used;',
      'int used = snprintf(out, size, "%s,%s;", name, name);\nreturn used < size ? used : size - 1;'
    ),
    cwe: [787, 252],
    confidence: 0.6,
    priority: "P2"
  }),
  terminator_out_of_bounds: unsafe({
    title: "Off by one: terminator behind the buffer",
    description:
      "Input that fills the buffer makes the program write one byte behind it. The whole size is read, and the terminator is " +
      "stored at the returned length. Read one byte less than the size.",
    example: body(
      "void take(int fd)",
      "char text[64];\nssize_t n = read(fd, text, sizeof(text));\nif (n < 0)\n    return;\ntext[n] = 0;\nuse(text);",
      "char text[64];\nssize_t n = read(fd, text, sizeof(text) - 1);\nif (n < 0)\n    return;\ntext[n] = 0;\nuse(text);"
    ),
    cwe: [193, 787],
    confidence: 0.9
  }),
  off_by_one_loop: unsafe({
    title: "Off-by-one loop over an array",
    description:
      "The last iteration reads or writes behind the array. The condition allows the index to equal the number of elements. " +
      "Write `<` in place of `<=`.",
    example: body(
      "int total(void)",
      "int counts[8] = {0}, sum = 0;\nfor (int i = 0; i <= 8; i++)\n    sum += counts[i];\nreturn sum;",
      "int counts[8] = {0}, sum = 0;\nfor (int i = 0; i < 8; i++)\n    sum += counts[i];\nreturn sum;"
    ),
    cwe: [193, 125],
    confidence: 0.95
  }),
  index_out_of_bounds: unsafe({
    title: "Constant index out of bounds",
    description:
      "Memory behind the array is read or overwritten. The index is its number of elements or more; the last element has an " +
      "index one less. Correct the index or the size.",
    example: body(
      "void cut(char *from)",
      "char text[16];\ncopy_text(text, from);\ntext[16] = 0;\nuse(text);",
      "char text[16];\ncopy_text(text, from);\ntext[15] = 0;\nuse(text);"
    ),
    cwe: [787, 125],
    confidence: 0.93
  })
})
