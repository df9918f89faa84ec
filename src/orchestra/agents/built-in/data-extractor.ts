import type { AgentDefinition } from '../definition.ts'
import { exactly, free, material, texts, theText, usual } from './shared.ts'

export const dataExtractor: AgentDefinition = {
  id: 'data_extractor',
  label: 'Data extractor',
  description:
    'Extracts data from a text: named values, e-mail addresses, links, dates and amounts. Values with a known format are found by pattern; a language model finds values in sentences.',
  category: 'transformation',
  capabilities: ['data extraction', 'structured output'],
  supported_languages: ['*'],
  input_types: ['text', 'markdown', 'html'],
  output_format: 'json',
  configuration: usual,
  pricing: free,
  parameters: {
    fields: { description: 'Names of the fields to extract, separated by commas. Default: all.' },
  },
  system_prompt: [
    'You extract data from texts. Values stand in the text: copy them as they are written, and leave out what is not there. Never guess.',
    'Dates go into "dates" as YYYY-MM-DD.',
    material,
  ].join('\n'),
  prompt: [
    'Extract the data of the following text. Wanted (empty: everything that has a name and a value): {{fields}}',
    'Found by their form already: {{analysis.data}}',
    theText,
  ].join('\n\n'),
  ai_options: { temperature: 0, max_tokens: 3000 },
  output_schema: exactly({
    fields: {
      type: 'array',
      maxItems: 200,
      items: exactly({ name: { type: 'string' }, value: { type: 'string' } }),
    },
    emails: { ...texts, maxItems: 100 },
    urls: { ...texts, maxItems: 100 },
    dates: { ...texts, maxItems: 200 },
    amounts: { ...texts, maxItems: 200 },
  }),
  analysers: [{ analyser: 'data' }],
  analysis_output: {
    fields: '{{analysis.data.pairs}}',
    emails: '{{analysis.data.emails}}',
    urls: '{{analysis.data.urls}}',
    dates: '{{analysis.data.dates}}',
    amounts: '{{analysis.data.amounts}}',
  },
  checks: [
    { check: 'quotes_input', field: 'fields.value', on_failure: 'warn' },
    { check: 'quotes_input', field: 'emails' },
  ],
  conclusion: {
    decision: 'extracted by {{method}}',
    reasoning: 'Found by pattern: {{analysis.data.count}}.',
  },
}
