import type { AgentDefinition } from '../definition.ts'
import { free, material, theText } from './shared.ts'

export const translator: AgentDefinition = {
  id: 'translator',
  label: 'Translator',
  description:
    'Translates a text and keeps its Markdown, numbers and links. The language and the numbers of the translation are checked. It needs a language model.',
  category: 'transformation',
  capabilities: ['translation', 'localisation'],
  supported_languages: ['*'],
  input_types: ['text', 'markdown'],
  output_format: 'markdown',
  configuration: { supports_streaming: true, max_input_length: 30_000, timeout: 300, retry_limit: 1 },
  pricing: free,
  parameters: {
    target_language: { description: 'Such as `de`, `German` or `Deutsch`.', required: true },
    tone: {
      description: 'The form of address.',
      default: 'as in the original',
      choices: ['as in the original', 'formal', 'informal'],
    },
  },
  system_prompt: [
    'You are a translator. You translate everything that is said, and nothing else; names, numbers, code and addresses stay as they are.',
    'Keep the Markdown. Answer with the translation alone, without a word before or after it.',
    material,
  ].join('\n'),
  prompt: [
    'Translate the following text from {{analysis.language.name}} into {{target_language}}. Tone: {{tone}}.',
    theText,
  ].join('\n\n'),
  ai_options: { temperature: 0.2, max_tokens: 16_000 },
  analysers: [{ analyser: 'language' }],
  checks: [
    { check: 'min_length', least: 1 },
    { check: 'language_is', parameter: 'target_language' },
    { check: 'keeps_numbers' },
    { check: 'keeps_links' },
  ],
  conclusion: { decision: 'translated', reasoning: 'From {{analysis.language.name}}.' },
}
