/** Build files of tests, examples and contributions make programs that are not the product. */
export const isOfTests = (path: string): boolean => tests.test(path)

const tests = /(?:^|\/)(?:tests?|testsuite|examples?|demos?|bench\w*|docs?|contrib)\//
