/** Languages known by code and by English name. */
const codes =
  'ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt ro ru sk sl sr sv ta th tr uk ur vi zh'.split(
    ' ',
  )
const names = new Intl.DisplayNames(['en'], { type: 'language' })
const codeByName = new Map(
  codes.flatMap((code) => [[code, code] as const, [names.of(code)?.toLowerCase(), code] as const]),
)

/** The code of a language given as a code, with or without a region, or as a name; undefined for an unknown one. */
export function languageCodeOf(text: string): string | undefined {
  const word = text.trim().toLowerCase()
  return codeByName.get(word) ?? codeByName.get(word.split(/[-_]/)[0])
}
