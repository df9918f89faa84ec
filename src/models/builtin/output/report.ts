import type { TextAnalysis } from '../analysis/analyse-text.ts'
import { type TaskName, taskNames } from './read-task.ts'

/** Comes first, so that users do not take the report for the output of a language model. */
const introduction =
  '_Text analysis by `builtin:text`, which counts and compares. It is no language model: it writes nothing of its own._'

/** The analysis for people, in Markdown. */
export function writeReport(analysis: TextAnalysis, names: readonly TaskName[]): string {
  if (analysis.counts.words === 0) return `${introduction}\n\nThere are no words in this text.\n`
  const wanted = names.length === 0 ? taskNames : names
  const sections = wanted.map((name) => `## ${titles[name]}\n\n${sectionWriters[name](analysis)}`)
  const overview = names.length === 0 ? [overviewOf(analysis)] : []
  return `${[introduction, ...overview, ...sections].join('\n\n')}\n`
}

const titles: Readonly<Record<TaskName, string>> = {
  summary: 'Summary',
  key_phrases: 'Key phrases',
  language: 'Language',
  readability: 'Readability',
  sentiment: 'Sentiment',
  seo: 'SEO',
  structure: 'Structure',
}

const sectionWriters: Readonly<Record<TaskName, (analysis: TextAnalysis) => string>> = {
  summary: ({ summary }) =>
    summary.length === 0
      ? 'No sentence is fit for one.'
      : summary.map((sentence) => `> ${sentence}`).join('\n>\n'),
  key_phrases: ({ keyPhrases }) =>
    keyPhrases.length === 0
      ? 'None.'
      : lines(keyPhrases.map(({ phrase, score, count }) => `${phrase} (score ${score}, ${times(count)})`)),
  language: ({ language, reasons }) => {
    if (language === null) return reasons.language ?? ''
    const { name, code, confidence, reliable } = language
    if (confidence === null) return `${name} (\`${code}\`), as was said.`
    return `${name} (\`${code}\`), match ${confidence}${reliable ? '' : '; not sure'}.`
  },
  readability: ({ readability, reasons }) => {
    if (readability === null) return reasons.readability ?? ''
    const { formula, score, difficulty, values } = readability
    const result = `${formula}: **${score}**${difficulty === null ? '' : `, ${difficulty}`}.`
    return `${result}\n\n${lines(values.map((each) => `${each.formula}: ${each.value}, ${each.scale}`))}`
  },
  sentiment: ({ sentiment, reasons }) => {
    if (sentiment === null) return reasons.sentiment ?? ''
    const { label, score, mostPositive, mostNegative } = sentiment
    const quoted = [...mostPositive, ...mostNegative].map((each) => `${each.score}: ${each.text}`)
    return `**${label}**, ${score} on a scale from -1 to 1.${quoted.length === 0 ? '' : `\n\n${lines(quoted)}`}`
  },
  seo: ({ seo, reasons }) => {
    if (seo === null) return reasons.seo ?? ''
    const checks = seo.checks.map(
      ({ passed, message, weight }) => `${passed ? '✓' : '✗'} ${message} (weight ${weight})`,
    )
    return `Score **${seo.score}** of 100, from what the text alone tells.\n\n${lines(checks)}`
  },
  structure: ({ structure }) => {
    const counts = [
      structure.format === 'html' ? 'HTML' : 'Markdown or plain text',
      `headings: ${structure.headingCount}`,
      `paragraphs: ${structure.paragraphs}`,
      `lists: ${structure.lists} (items: ${structure.listItems})`,
      `tables: ${structure.tables}`,
      `code blocks: ${structure.codeBlocks}`,
      `links: ${structure.linkCount}`,
      `images: ${structure.imageCount} (without an alternative text: ${structure.imagesWithoutAlt})`,
    ]
    const outline = structure.headings.map(
      ({ level, text }) => `${'  '.repeat(level - 1)}- ${text || '(empty)'}`,
    )
    const findings = structure.findings.map(({ message }) => message)
    return [
      `${counts.join('; ')}.`,
      ...(structure.complete
        ? []
        : ['There is too much markup: from some point on it was taken as plain text.']),
      ...(outline.length === 0 ? [] : [outline.join('\n')]),
      ...(findings.length === 0 ? [] : [`Findings:\n\n${lines(findings)}`]),
    ].join('\n\n')
  },
}

function overviewOf({ counts }: TextAnalysis): string {
  const { words, sentences, paragraphs, averageSentenceWords, averageWordLetters, readingSeconds } = counts
  return lines([
    `words: ${words}, sentences: ${sentences}, paragraphs: ${paragraphs}`,
    `words in a sentence: ${averageSentenceWords}, letters in a word: ${averageWordLetters}`,
    `reading time: ${readingSeconds < 60 ? `${readingSeconds} seconds` : `${Math.round(readingSeconds / 60)} minutes`}`,
  ])
}

function lines(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n')
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
