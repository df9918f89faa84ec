import type { Source } from './sources.ts'

/** The Markdown file of a page on the site. */
export const markdownPage = (page: string) => page.replace(/\.html$/, '.md')

/** The list of pages for language models, in the format of llmstxt.org. */
export function writeLlmsList(sources: readonly Source[], version: string): string {
  const [start] = sources
  const sections = Map.groupBy(sources, ({ section }) => section)
  const lists = [...sections].map(([section, entries]) => {
    const lines = entries.map(({ page, title, summary }) => `- [${title}](${markdownPage(page)}): ${summary}`)
    // Readers with little space leave out what is below "Optional".
    return `## ${section === 'Decisions' || section === 'Project' ? `Optional: ${section}` : section}\n\n${lines.join('\n')}\n`
  })
  return [`# Tutti ${version}`, `> ${start?.summary ?? ''}`, ...lists].join('\n\n')
}

/** All pages in one file. */
export function writeLlmsText(sources: readonly Source[], version: string): string {
  const pages = sources.map(({ page, text }) => `<!-- ${markdownPage(page)} -->\n\n${text.trim()}\n`)
  return [`<!-- Tutti ${version} -->`, ...pages].join('\n\n')
}
