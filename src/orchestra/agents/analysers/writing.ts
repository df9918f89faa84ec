import { formatText } from '#engine'
import { amountsIn, datesIn } from './facts.ts'
import { addressesIn } from './links.ts'
import { excerptOf, type Finding, maxIssues, type Subject } from './subject.ts'

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
