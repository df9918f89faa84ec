import type { AgentDefinition } from '../definition.ts'
import { exactly, free, material, texts, theText, usual } from './shared.ts'

export const readabilityAnalyst: AgentDefinition = {
  id: 'readability_analyst',
  label: 'Readability analyst',
  description:
    'Measures how hard a text is to read, with the formula for its language, and shows the hard passages.',
  category: 'analysis',
  capabilities: ['readability', 'audience', 'plain language'],
  supported_languages: ['*'],
  input_types: ['text', 'markdown', 'html'],
  output_format: 'json',
  configuration: usual,
  pricing: free,
  parameters: { audience: { description: 'The target audience.', default: 'the general public' } },
  system_prompt: [
    'You assess how easy texts are to read, and for whom. The measured score stands; explain it, do not replace it.',
    'Show up to five hard passages, word for word. Advice is short, and in the language of the text.',
    material,
  ].join('\n'),
  prompt: [
    'How easy is the following text to read for {{audience}}?',
    'Measured: {{analysis.readability.formula}} {{analysis.readability.score}}, {{analysis.readability.difficulty}}; {{analysis.length.average_sentence_words}} words in a sentence on average. Repeat this score and difficulty.',
    theText,
  ].join('\n\n'),
  ai_options: { temperature: 0.1, max_tokens: 1200 },
  output_schema: exactly({
    score: { type: ['number', 'null'] },
    difficulty: {
      type: 'string',
      enum: ['very easy', 'easy', 'medium', 'difficult', 'very difficult', 'not judged'],
    },
    fits_audience: { type: 'string', enum: ['yes', 'partly', 'no', 'not judged'] },
    hard_passages: texts,
    advice: texts,
  }),
  analysers: [{ analyser: 'readability' }, { analyser: 'length' }, { analyser: 'language' }],
  analysis_output: {
    score: '{{analysis.readability.score}}',
    difficulty: '{{analysis.readability.difficulty}}',
    fits_audience: 'not judged',
    hard_passages: [],
    advice: '{{analysis.readability.advice}}',
  },
  checks: [
    { check: 'agrees_with', field: 'score', finding: 'readability.score', within: 1 },
    { check: 'quotes_input', field: 'hard_passages', on_failure: 'warn' },
  ],
  conclusion: {
    decision: '{{difficulty}}',
    reasoning: '{{analysis.readability.formula}} {{analysis.readability.score}}.',
  },
}
