import type { AgentDefinition } from '../definition.ts'
import { exactly, free, material, texts, theText, usual } from './shared.ts'

export const metaWriter: AgentDefinition = {
  id: 'meta_writer',
  label: 'Meta writer',
  description:
    'Writes title, description and keywords for a page, in the lengths that search engines show. Without a language model they are taken from the text.',
  category: 'seo',
  capabilities: ['meta title', 'meta description', 'keywords'],
  supported_languages: ['*'],
  input_types: ['text', 'markdown', 'html'],
  output_format: 'json',
  configuration: usual,
  pricing: free,
  parameters: { keyword: { description: 'The keyword the page should rank for.' } },
  system_prompt: [
    'You write titles and descriptions of web pages. They say what the page says, and make people want to read it; they promise nothing the page does not have.',
    'A title has 60 characters at most, a description 160. Write in the language of the text.',
    material,
  ].join('\n'),
  prompt: [
    'Write title, description and up to eight keywords for this page. Keyword to use in the title, if any: {{keyword}}',
    'Its topics by frequency: {{analysis.key_phrases.phrases}}',
    theText,
  ].join('\n\n'),
  ai_options: { temperature: 0.4, max_tokens: 500 },
  output_schema: exactly({
    title: { type: 'string', minLength: 1 },
    description: { type: 'string', minLength: 1 },
    keywords: texts,
  }),
  analysers: [{ analyser: 'meta' }, { analyser: 'key_phrases', most: 8 }],
  analysis_output: {
    title: '{{analysis.meta.title}}',
    description: '{{analysis.meta.description}}',
    keywords: '{{analysis.meta.keywords}}',
  },
  checks: [
    { check: 'max_length', field: 'title', most: 60 },
    { check: 'max_length', field: 'description', most: 160 },
    { check: 'same_language', field: 'description' },
    { check: 'mentions', parameter: 'keyword', field: 'title', on_failure: 'warn' },
    { check: 'no_new_numbers' },
  ],
  conclusion: { decision: 'proposed "{{title}}"', reasoning: '{{description}}' },
}
