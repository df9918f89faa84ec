import type { Candidate } from './candidate.ts'
import type { Factor } from './factor.ts'

/** Languages that are known by code and by English name. */
const codes =
  'ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt ro ru sk sl sr sv ta th tr uk ur vi zh'.split(
    ' ',
  )
const names = new Intl.DisplayNames(['en'], { type: 'language' })
const codeByName = new Map(
  codes.flatMap((code) => [[code, code] as const, [names.of(code)?.toLowerCase(), code] as const]),
)

/** The code of a language given as a code, with or without a region, or as a name; undefined when it is none we know. */
function codeOf(text: string): string | undefined {
  const word = text.trim().toLowerCase()
  return codeByName.get(word) ?? codeByName.get(word.split(/[-_]/)[0])
}

/** Whether a flow is for a language: it says so in its tags, or its prompts are told the language. */
export function languageFit(
  { flow: { definition } }: Pick<Candidate, 'flow'>,
  language: string | undefined,
): Pick<Factor, 'score' | 'evidence'> {
  if (language === undefined) return { score: null, evidence: 'No language was named.' }
  const asked = codeOf(language) ?? language.trim().toLowerCase()
  const declared = (definition.tags ?? []).flatMap(
    (tag) => codeOf(tag.replace(/^lang(uage)?[:=-]/i, '')) ?? [],
  )
  if (declared.includes(asked)) return { score: 1, evidence: `Its tags name ${language}.` }
  if (declared.length > 0)
    return { score: 0, evidence: `Its tags name ${declared.join(', ')} and not ${language}.` }
  const isTold = definition.steps.some(
    (step) =>
      step.type === 'ai_prompt' &&
      /\{\{[^}]*language[^}]*\}\}/i.test(`${step.prompt} ${step.ai_options?.system_prompt ?? ''}`),
  )
  if (isTold) return { score: 1, evidence: 'Its prompts are told the language.' }
  return { score: null, evidence: 'It does not say which languages it is for.' }
}
