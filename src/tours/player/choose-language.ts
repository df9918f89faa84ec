/**
 * Chooses the language for a page from those there are, in the first way that finds one:
 *
 * | the page | there are    | chosen | because                                          |
 * |----------|--------------|--------|--------------------------------------------------|
 * | `pt-BR`  | `pt-br`      | it     | it is the same                                   |
 * | `de-AT`  | `de`         | it     | it is the same without the region                |
 * | `zh`     | `zh-hans`    | it     | it is the same language, of whatever region      |
 */
export function chooseLanguage(wanted: string, available: readonly string[]): string | undefined {
  const parts = wanted.toLowerCase().replaceAll('_', '-').split('-')
  const names = parts.map((_part, index) => parts.slice(0, parts.length - index).join('-'))
  const exact = names.find((name) => available.includes(name))
  return exact ?? available.find((language) => language.split('-')[0] === parts[0])
}
