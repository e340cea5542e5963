const page = /\.x?html?$/i

/** How much of a page is read for signs of a tool. */
const HEAD = 3_000

/** A page into which a published style sheet was copied is what a tool made of something else. */
const inlinedLibrary = /<style[^>]{0,80}>\s*\/\*!\s*\*?\s*[A-Za-z][^\n]{0,60}\bv\d+\.\d+/
/** Generators of documentation and of sites, and programs that export pages, sign in the head. An editor's name says nothing. */
const generator =
  /<meta\b(?=[^>]{0,200}\bname=["']?generator\b)[^>]{0,200}\bcontent=["']?[^"'<{>$%]{0,40}\b(?:doxygen|pandoc|asciidoc(?:tor)?|docutils|docbook|jsdoc|sphinx|mkdocs|hugo|jekyll|gatsby|hexo|typo3|wordpress|drupal|joomla|mediawiki|libreoffice|openoffice(?:\.org)?|microsoft word|texinfo|makeinfo|latex2html|tex4ht|hevea|txt2tags|org[- ]mode|rdoc|yard|javadoc|ldoc|natural ?docs|pod2html|pod::\w+|man2html|groff|vitepress|vuepress|docusaurus|eleventy|sgml-?tools|linuxdoc|texi2html|txt2html|perldoc|haddock|ex_?doc|rustdoc|scaladoc|dokka|gi-docgen|gtk-doc|hotdoc|mdbook|zola|pelican|nikola|publican|xmlto|db2html|lyx|elyxer|latex|tth\b|help ?& ?manual|helpndoc|robohelp|madcap flare|confluence|r2html|rmarkdown|knitr|quarto|nbconvert|star(?:office|writer)|microsoft (?:excel|powerpoint)|apache maven|doxia|forrest|antora|emacs muse|mandoc|schemaspy|blogger|ghost \d|dita|xmlmind|robodoc|headerdoc|phpdocumentor|apigen|epydoc|pdoc\b|pydoctor|sandcastle|lcov|jacoco|cobertura|docfx|slate|swagger|redoc|write the docs|webworks|aft\b|html2hdb|hyperlatex|tex2page|scribble|ronn|marked-man|go-md2man|help2man|unrtf|pdf2htmlex|pdftohtml|calibre)/i
/** What browsers and tools for copies write into a page of another site. */
const savedCopy = /<!-- saved from url=\(|<!-- Mirrored from /i

/** What converters write in a comment, as a link or as the first mark of the list of contents. */
const converted =
  /<!--[\s!*-]{0,20}(?:(?:this )?(?:html )?(?:file|page|document)? ?(?:was|is|has been)? ?(?:automatically )?(?:generated|created|converted|produced) (?:automatically )?(?:by|with|using|from)\b(?!\s+(?:me|hand|us)\b)|automatically generated|creator ?: groff|manual page source format|produced by )[^\n]{0,200}|<p><a name="__index__"><\/a><\/p>|<!-- INDEX BEGIN -->|<ul id="index">\s*<li><a href="#[A-Z]|<A NAME="tex2html\d+"|<div class="(?:contents|header)">\s*<(?:p|a)[^>]{0,60}(?:accesskey="[npu]"|node-name=)/i

/** A page that a tool wrote or saved: what is wrong with it is corrected elsewhere. */
export const isWrittenPage = (path: string, content: string): boolean => {
  if (!page.test(path)) return false
  const head = content.slice(0, HEAD)
  return inlinedLibrary.test(head) || generator.test(head) || converted.test(head) || savedCopy.test(head)
}
