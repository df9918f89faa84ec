import { formatText } from '#engine'
import type { TextAnalysis } from '#models'
import { amountsIn, datesIn } from './facts.ts'
import { excerptOf, type Finding, type Issue, maxIssues, outcomeOf, type Subject } from './findings.ts'

/** All URLs in a text, as they are written. */
export function addressesIn(text: string): string[] {
  const found = text.matchAll(/\bhttps?:\/\/[^\s<>"'`\])}|]{1,2000}/gi)
  return [...new Set([...found].map(([address]) => withoutEnding(address)))]
}

/** Punctuation that ends a sentence does not belong to the URL before it. */
function withoutEnding(address: string): string {
  let end = address.length
  while ('.,;:!?'.includes(address.charAt(end - 1))) end -= 1
  return address.slice(0, end)
}

/** Link texts that do not describe their target. */
const emptyTexts =
  /^(?:here|click here|this|link|more|read more|learn more|hier|mehr|weiterlesen|ici|lire la suite|aquí|más|qui|leggi)$/i

export function findLinks({ text, analysis: { structure } }: Subject): Finding {
  const written = structure.links.map(({ url }) => url)
  const urls = [...new Set([...written, ...addressesIn(text)])]
  return { count: urls.length, urls: urls.slice(0, 100), findings: linkIssues(structure) }
}

/** Markup issues of headings, images, paragraphs and links. */
export function findMarkup({ analysis: { structure } }: Subject): Finding {
  const severe = new Set(['image_without_alt', 'heading_jump', 'empty_heading'])
  const issues: Issue[] = [
    ...structure.findings.map(({ id, message }) => ({
      rule: id,
      severity: severe.has(id) ? ('high' as const) : ('medium' as const),
      excerpt: '',
      message,
    })),
    ...linkIssues(structure),
  ]
  return {
    verdict: outcomeOf(issues),
    count: issues.length,
    findings: issues.slice(0, maxIssues),
    counts: {
      headings: structure.headingCount,
      links: structure.linkCount,
      images: structure.imageCount,
      images_without_alt: structure.imagesWithoutAlt,
    },
  }
}

function linkIssues({ links }: TextAnalysis['structure']): Issue[] {
  return links.flatMap(({ text, url }) => {
    const at = (rule: string, severity: Issue['severity'], message: string): Issue[] => [
      { rule, severity, excerpt: excerptOf(`${text} (${url})`), message },
    ]
    if (text.trim() === '') return at('link_without_text', 'high', 'A link has no text.')
    if (emptyTexts.test(text.trim()))
      return at('link_text', 'medium', `The link text "${excerptOf(text)}" does not say where it leads.`)
    if (url.startsWith('http://')) return at('link_not_secure', 'low', 'The link does not use https.')
    return url.startsWith('https://') && !URL.canParse(url)
      ? at('link_address', 'high', 'The address of the link cannot be read.')
      : []
  })
}

const maxTitleLength = 60
const maxDescriptionLength = 155

/** A title and a description taken from the text. */
export function findMeta({ analysis: { structure, seo, summary, keyPhrases }, text }: Subject): Finding {
  const heading = structure.headings.find(({ level }) => level === 1) ?? structure.headings[0]
  const title = cutAtWord(seo?.title ?? heading?.text ?? summary[0] ?? text, maxTitleLength)
  const description = cutAtWord(seo?.description ?? (summary.join(' ') || text), maxDescriptionLength)
  const keywords = keyPhrases.slice(0, 5).map(({ phrase }) => phrase)
  return { title, title_length: title.length, description, description_length: description.length, keywords }
}

function cutAtWord(text: string, maxLength: number): string {
  const line = text.replaceAll(/[#*_`>\s]+/g, ' ').trim()
  if (line.length <= maxLength) return line
  const cut = line.slice(0, maxLength - 1)
  const blank = cut.lastIndexOf(' ')
  return (blank > maxLength / 2 ? cut.slice(0, blank) : cut).replace(/[,;:\s]+$/, '') + '…'
}

/** Sentences that occur more than once. */
export function findRepetition({ text }: Subject): Finding {
  const times = new Map<string, number>()
  for (const piece of text.split(/(?<=[.!?。！？])\s+|\n+/)) {
    const sentence = piece.trim()
    if (sentence.split(/\s+/).length < 5) continue
    times.set(sentence, (times.get(sentence) ?? 0) + 1)
  }
  const findings = [...times]
    .filter(([, count]) => count > 1)
    .slice(0, maxIssues)
    .map(([sentence, count]) => ({ excerpt: excerptOf(sentence), times: count }))
  return { count: findings.length, findings }
}

const labelled =
  /^[ \t]*(?:[-*•][ \t]+)?(?:\*\*)?([\p{L}][\p{L}\p{N} _/-]{0,40}?)(?:\*\*)?[ \t]*[:=][ \t]*(?:\*\*)?[ \t]*(\S[^\n]{0,500})$/gmu
const email = /[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}/g

/** Pairs in the form `name: value`, and values recognised by their format. */
export function findData({ text }: Subject): Finding {
  const pairs = [...text.matchAll(labelled)].slice(0, 200).map(([, name = '', value = '']) => [
    name
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '_'),
    value.replace(/\*\*\s*$/, '').trim(),
  ])
  const fields = Object.fromEntries(pairs.filter(([name]) => name !== '__proto__')) as Record<string, string>
  const emails = [...new Set([...text.matchAll(email)].map(([found]) => found))].slice(0, 100)
  const entities = {
    emails,
    urls: addressesIn(text).slice(0, 100),
    dates: datesIn(text).map(({ iso }) => iso),
    amounts: amountsIn(text),
  }
  const found = Object.keys(fields).length + Object.values(entities).flat().length
  return {
    pairs: Object.entries(fields).map(([name, value]) => ({ name, value })),
    ...entities,
    count: found,
    reason: found === 0 ? 'The text has no data in a known format.' : null,
  }
}

const formats = { markdown: 'markdown', html: 'html', text: 'plain_text', plain_text: 'plain_text' } as const

/** The same text in another format, parsed and rendered anew. */
export async function convert({ text, parameter, signal }: Subject): Promise<Finding> {
  const format = Object.hasOwn(formats, parameter) ? formats[parameter as keyof typeof formats] : undefined
  if (format === undefined) {
    return {
      text,
      format: null,
      headings: 0,
      reason: `"${parameter}" is not a format. Use markdown, html or text.`,
    }
  }
  const made = await formatText(text, { format, withContents: false, withCharts: false, signal })
  return { text: made.text, format: parameter, headings: made.headings, reason: null }
}
