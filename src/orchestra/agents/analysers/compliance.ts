import { personalDataIn } from './personal-data.ts'
import { excerptOf, type Finding, mostSpots, type Spot, type Subject, verdictOf } from './subject.ts'

/** What is left standing in texts that were not finished. */
const unfinished =
  /\b(?:lorem ipsum|TODO|FIXME|TBD|XXX|insert [a-z ]{1,30} here|your (?:company|name) here)\b|\[(?:insert|add|placeholder|your|company|name)[^\]\n]{0,40}\]|\{\{[^{}\n]{1,80}\}\}/gi

/** Words that promise what nobody can prove. In English and German. */
const claims =
  /\b(?:guaranteed?|100 ?%|risk[- ]free|no risk|always works|never fails|the best|number one|#1|world['’]s (?:best|first|leading)|cures?|miracle|instantly|unbeatable|completely safe|garantiert|risikofrei|die besten?|weltbeste[rns]?|heilt|wunder|absolut sicher)\b/giu

const aroundChars = 60

/** What should not be published without a look: personal data, places that were not finished, promises that nobody can prove. */
export function findCompliance({ text }: Subject): Finding {
  const spots: Spot[] = [
    ...personalDataIn(text).map(
      ({ kind, masked }): Spot => ({
        rule: 'personal_data',
        severity: kind === 'email' || kind === 'phone' ? 'medium' : 'high',
        excerpt: masked,
        message: `It has what looks like ${named[kind]}.`,
      }),
    ),
    ...spotsOf(text, unfinished, 'unfinished', 'high', 'It has a place that was not finished.'),
    ...spotsOf(text, claims, 'claim', 'medium', 'It makes a claim that needs proof.'),
  ]
  const shown = spots.slice(0, mostSpots)
  return {
    verdict: verdictOf(spots),
    count: spots.length,
    findings: shown,
    rules: [...new Set(spots.map(({ rule }) => rule))],
  }
}

const named = {
  email: 'an e-mail address',
  phone: 'a telephone number',
  iban: 'the number of a bank account',
  card: 'the number of a payment card',
} as const

function spotsOf(
  text: string,
  pattern: RegExp,
  rule: string,
  severity: Spot['severity'],
  message: string,
): Spot[] {
  return [...text.matchAll(pattern)].slice(0, mostSpots).map(({ 0: found, index }) => ({
    rule,
    severity,
    excerpt: excerptOf(text.slice(Math.max(0, index - aroundChars), index + found.length + aroundChars)),
    message: `${message.slice(0, -1)}: "${excerptOf(found)}".`,
  }))
}
