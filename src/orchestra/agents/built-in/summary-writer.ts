import type { AgentDefinition } from '../definition.ts'
import { exactly, free, material, texts, theText, usual } from './shared.ts'

export const summaryWriter: AgentDefinition = {
  id: 'summary_writer',
  label: 'Summary writer',
  description:
    'Summarises a text in a few sentences without adding to it. Without a language model the summary consists of the most important sentences of the text.',
  category: 'content',
  capabilities: ['summary', 'key points'],
  supported_languages: ['*'],
  input_types: ['text', 'markdown', 'html'],
  output_format: 'json',
  configuration: usual,
  pricing: free,
  parameters: {
    sentences: { description: 'Number of sentences in the summary, 1 to 20.', default: 3 },
  },
  system_prompt: [
    'You summarise texts faithfully. Nothing is in the summary that is not in the text: no number, no name, no opinion.',
    'Write in the language of the text, in plain sentences.',
    material,
  ].join('\n'),
  prompt: [
    'Summarise the following text in {{sentences}} sentences, and list its key points, one short line each.',
    'It has {{analysis.length.words}} words; the summary must be shorter.',
    theText,
  ].join('\n\n'),
  ai_options: { temperature: 0.2, max_tokens: 1500 },
  output_schema: exactly({ summary: { type: 'string', minLength: 1 }, key_points: texts }),
  content_field: 'summary',
  analysers: [
    { analyser: 'length' },
    { analyser: 'summary', parameter: 'sentences' },
    { analyser: 'key_phrases', most: 5 },
  ],
  analysis_output: { summary: '{{analysis.summary.text}}', key_points: '{{analysis.key_phrases.phrases}}' },
  checks: [
    { check: 'not_longer_than_input', field: 'summary' },
    { check: 'same_language', field: 'summary' },
    { check: 'no_new_numbers', field: 'summary' },
  ],
  conclusion: { decision: 'summarised', reasoning: 'From {{analysis.length.words}} words.' },
}
