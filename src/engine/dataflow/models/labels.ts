/** What sinks are called in messages; tools distinguish some of them. */
/** Text that reads as a condition, for a method of the program's own. */
export const CONDITION_TEXT = "a condition of a statement"
/** Newer versions of Rails reject what is no name of a column. */
export const ORDER = "the order of a query"
export const QUERY = "a database query"
export const FILTER = "a database filter"
/** The filter is made of text, so that quotes and braces in a value change it. */
export const FILTER_TEXT = "the text of a database filter"
export const XPATH_EXPRESSION = "an XPath expression"
export const DIRECTORY_FILTER = "an LDAP filter"
export const SHELL = "a shell command"
export const PROGRAM = "the name of a program to run"
export const OPTIONS = "the options of a program"
export const ARGUMENT_LINE = "the argument line of a program"
export const FILE = "a file operation"
export const SERVED = "a file that is sent"
export const INCLUDED = "an include of PHP code"
export const REQUEST = "a request to another server"
export const CONNECTION = "a connection to another machine"
export const RUN = "code that is run"
export const MODULE = "the name of a module to load"
export const CALLED = "a function that is called by name"
export const TEMPLATES = "the source of a template"
export const OBJECTS = "a loader of objects"
/** It makes the object that the address names, wherever that leads. */
export const DIRECTORY = "a lookup of objects by address (JNDI)"
export const YAML = "a YAML loader that makes any object"
export const DOCUMENT = "an XML parser that resolves entities"
export const SENT = "HTML that a browser is sent"
/** Changes the page in the browser. */
export const PAGE = "the page's own HTML"
/** Promises that a text needs no escaping. */
export const TRUSTED = "HTML that is not escaped"
/** What a route returns: HTML by default. */
export const ANSWER = "an answer that browsers take for HTML"
export const LOGGED = "an entry of a log"
export const SESSION_ATTRIBUTE = "an attribute of the session"
export const REDIRECTION = "a redirect"
/** The browser goes there by itself. */
export const NAVIGATION = "a change of the page's address"
