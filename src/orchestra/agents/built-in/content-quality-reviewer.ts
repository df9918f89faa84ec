import type { AgentDefinition } from '../definition.ts'
import { exactly, free, grade, material, scoreOrNull, texts, theText, usual } from './shared.ts'

export const contentQualityReviewer: AgentDefinition = {
  id: 'content_quality_reviewer',
  label: 'Content quality reviewer',
  description:
    'Reviews a text before publication: strengths, weaknesses and suggestions. Readability, structure and length are measured; a language model reads the text as well.',
  category: 'content',
  capabilities: ['quality review', 'readability', 'structure', 'editing advice'],
  supported_languages: ['*'],
  input_types: ['text', 'markdown', 'html'],
  output_format: 'json',
  configuration: usual,
  pricing: free,
  parameters: {
    audience: { description: 'The target audience.', default: 'the general public' },
  },
  system_prompt: [
    'You are an experienced editor who reviews texts before they are published.',
    'Assess clarity, structure, tone, completeness and whether it fits its readers. Be exact and kind.',
    'Quote the passages you speak of in "quotes", word for word. Do not rewrite the text.',
    'Write in the language of the text.',
    material,
  ].join('\n'),
  prompt: [
    'Review the following text, written for {{audience}}.',
    'Measurements for your review: quality {{analysis.quality.score}} of 100 ({{analysis.quality.weaknesses}}), {{analysis.readability.difficulty}} to read, findings about its structure: {{analysis.structure.findings}}.',
    'Give a score from 0 to 100, a verdict, strengths, weaknesses and suggestions.',
    theText,
  ].join('\n\n'),
  ai_options: { temperature: 0.2, max_tokens: 2000 },
  output_schema: exactly({
    score: scoreOrNull,
    verdict: grade,
    strengths: texts,
    weaknesses: texts,
    suggestions: texts,
    quotes: texts,
  }),
  analysers: [
    { analyser: 'language' },
    { analyser: 'length' },
    { analyser: 'readability' },
    { analyser: 'structure' },
    { analyser: 'quality' },
  ],
  analysis_output: {
    score: '{{analysis.quality.score}}',
    verdict: '{{analysis.quality.verdict}}',
    strengths: '{{analysis.quality.strengths}}',
    weaknesses: '{{analysis.quality.weaknesses}}',
    suggestions: '{{analysis.readability.advice}}',
    quotes: [],
  },
  checks: [
    { check: 'quotes_input', field: 'quotes', on_failure: 'warn' },
    { check: 'agrees_with', field: 'score', finding: 'quality.score', within: 35, on_failure: 'warn' },
  ],
  conclusion: { decision: '{{verdict}}', reasoning: 'Quality {{score}} of 100.' },
}
