const page = /\.x?html?$/i

/** How much of a page is read for signs of a tool. */
const HEAD = 3_000

/** A page into which a published style sheet was copied is what a tool made of something else. */
const inlinedLibrary = /<style[^>]{0,80}>\s*\/\*!\s*\*?\s*[A-Za-z][^\n]{0,60}\bv\d+\.\d+/
/** Generators of documentation and of sites, and programs that export pages, sign in the head. An editor's name says nothing. */
const generator =
  /<meta\b(?=[^>]{0,200}\bname=["']?generator\b)[^>]{0,200}\bcontent=["']?[^"'<{>$%]{0,40}\b(?:doxygen|pandoc|asciidoc(?:tor)?|docutils|docbook|jsdoc|sphinx|mkdocs|hugo|jekyll|gatsby|hexo|typo3|wordpress|drupal|joomla|mediawiki|libreoffice|openoffice(?:\.org)?|microsoft word|texinfo|makeinfo|latex2html|tex4ht|hevea|txt2tags|org[- ]mode|rdoc|yard|javadoc|ldoc|natural ?docs|pod2html|pod::\w+|man2html|groff|vitepress|vuepress|docusaurus|eleventy|sgml-?tools|linuxdoc)/i
/** What browsers and tools for copies write into a page of another site. */
const savedCopy = /<!-- saved from url=\(|<!-- Mirrored from /i

/** A page that a tool wrote or saved: what is wrong with it is corrected elsewhere. */
export const isWrittenPage = (path: string, content: string): boolean => {
  if (!page.test(path)) return false
  const head = content.slice(0, HEAD)
  return inlinedLibrary.test(head) || generator.test(head) || savedCopy.test(head)
}
