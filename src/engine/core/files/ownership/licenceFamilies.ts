/** Families of licences by the words of their texts and of the notices that refer to them. */
const families: ReadonlyArray<readonly [name: string, words: RegExp]> = [
  ["mit", /permission is hereby granted, free of charge|\bMIT\b|\bExpat\b|\bX11\b/],
  ["bsd", /redistribution and use in source and binary|\bBSD\b|opensource\.org\/licenses\/bsd/i],
  ["apache", /\bapache\b[^\n]{0,20}\blicen[cs]e|apache\.org\/licenses|\bApache-2/i],
  ["gnu", /\bGNU\b[^\n]{0,40}\bLicen[cs]e|\b[AL]?GPL(?:v?\d|\b)|\bterms of the GNU\b/],
  ["mozilla", /mozilla public|\bMPL\b/i],
  ["isc", /\bISC\b|permission to use, copy, modify, and\/?(?:or)? distribute/i],
  ["zlib", /\bzlib licen|provided 'as-is', without any express/i],
  ["boost", /\bBoost Software License|\bBSL-1\.0/i],
  ["python", /\bPSF License|\bLicensed to PSF\b|Python Software Foundation License/i],
  ["cddl", /\bCDDL\b|common development and distribution licen/i],
  ["php", /\bPHP Licen[cs]e\b|php\.net\/license/i],
  ["microsoft", /\bMicrosoft (?:public|reciprocal) licen[cs]e|\bMS-[PR]L\b/i],
  ["eclipse", /eclipse public|\bEPL\b/i],
  ["artistic", /\bartistic\b|same terms as perl/i],
  ["public domain", /public domain|\bunlicen[cs]e\b|\bCC0\b/i]
]

/** Families of the licences that a text names or quotes. */
export const licenceFamilies = (text: string): ReadonlyArray<string> =>
  families.filter(([, words]) => words.test(text)).map(([name]) => name)

/** The family that a text speaks of first. */
export const firstLicence = (text: string): string | null => {
  const named = families.flatMap(([name, words]) => {
    const at = text.search(words)
    return at < 0 ? [] : [{ name, at }]
  })
  return named.sort((a, b) => a.at - b.at)[0]?.name ?? null
}
