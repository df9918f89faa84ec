/** The language codes that every Drupal site accepts; a site refuses others unless it has the language. */
const standard = new Set(
  (
    'af am ar ast az be bg bn bo bs ca cs cy da de dz el en en-x-simple eo es et eu fa fi fil fo fr fy ga gd gl gsw-berne gu ' +
    'he hi hr ht hu hy id is it ja jv ka kk km kn ko ku ky lo lt lv mg mk ml mn mr ms my nb ne nl nn oc pa pl pt-br pt-pt ro ' +
    'ru sco se si sk sl sq sr sv sw ta ta-lk te th tr tyv ug uk und ur vi xx-lolspeak zh-hans zh-hant zxx'
  ).split(' '),
)

export function isStandardLanguage(langcode: string): boolean {
  return standard.has(langcode)
}
