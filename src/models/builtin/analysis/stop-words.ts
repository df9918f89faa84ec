/** Whether a word is a stop word. */
export type IsStopWord = (word: string) => boolean

/** The lists are named by three-letter language codes. */
const listNames = new Map(
  (
    'af:afr ar:ara bg:bul bn:ben br:bre ca:cat cs:ces da:dan de:deu el:ell en:eng eo:epo es:spa et:est eu:eus fa:fas fi:fin ' +
    'fr:fra ga:gle gl:glg gu:guj ha:hau he:heb hi:hin hr:hrv hu:hun hy:hye id:ind it:ita ja:jpn ko:kor ku:kur la:lat lt:lit ' +
    'lv:lav mr:mar ms:msa my:mya nl:nld no:nob pa:panGu pl:pol pt:por ro:ron ru:rus sk:slk sl:slv so:som st:sot sv:swe ' +
    'sw:swa th:tha tl:tgl tr:tur uk:ukr ur:urd vi:vie yo:yor zh:zho zu:zul'
  )
    .split(' ')
    .map((pair): [code: string, list: string] => [pair.slice(0, 2), pair.slice(3)]),
)

/** Additions to the English list, which is short. */
const moreEnglish =
  'again against always around away back does doing done down during else even every few gave gets give given gives go goes ' +
  'going having hers however its just know let made makes making may maybe mine no nor not nothing off often once one ones ' +
  'onto ours own per perhaps quite rather really say says see seen shall she so something sometimes soon sure thing things ' +
  'think though three thus together two until upon us use used using want went when whether whose why will within without ' +
  'yes yet yours'

const shortWord = 3

/** The stop words of a language. Without a list, words of up to three letters count as stop words. */
export async function loadStopWords(language: string | null): Promise<IsStopWord> {
  const name = listNames.get(language ?? '')
  if (name === undefined) return (word) => word.length <= shortWord
  const { default: lists } = await import('stopword')
  const list = lists[name]
  const listed = Array.isArray(list) ? list.map((word) => String(word).toLowerCase()) : []
  const words = new Set(language === 'en' ? [...listed, ...moreEnglish.split(' ')] : listed)
  return (word) => words.has(word)
}
