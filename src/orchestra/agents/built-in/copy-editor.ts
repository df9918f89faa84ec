import type { AgentDefinition } from '../definition.ts'
import { exactly, free, material, texts, theText, usual } from './shared.ts'

export const copyEditor: AgentDefinition = {
  id: 'copy_editor',
  label: 'Copy editor',
  description:
    'Corrects and smooths a text without changing its meaning: every number and every link stays. Without a language model the text is unchanged, and measured advice is returned.',
  category: 'content',
  capabilities: ['proofreading', 'editing', 'plain language'],
  supported_languages: ['*'],
  input_types: ['text', 'markdown'],
  output_format: 'json',
  configuration: { ...usual, max_input_length: 30_000, timeout: 180 },
  pricing: free,
  parameters: {
    style: {
      description: 'The style.',
      default: 'correct',
      choices: ['correct', 'plain', 'formal', 'friendly'],
    },
  },
  system_prompt: [
    'You are a careful copy editor. You correct spelling, grammar and punctuation, and make sentences easier to read.',
    'Keep meaning, language, Markdown, every number and every link as they are. Add nothing.',
    'Tell each kind of change in one line.',
    material,
  ].join('\n'),
  prompt: [
    'Edit the following text. Style: {{style}} (correct: mend mistakes only; plain: short words and sentences; formal; friendly).',
    'Sentences that stand there twice: {{analysis.repetition.findings}}. Advice from what was measured: {{analysis.readability.advice}}.',
    theText,
  ].join('\n\n'),
  ai_options: { temperature: 0.2, max_tokens: 8000 },
  output_schema: exactly({
    edited_text: { type: 'string', minLength: 1 },
    changes: texts,
    remarks: texts,
    note: { type: 'string' },
  }),
  content_field: 'edited_text',
  analysers: [{ analyser: 'readability' }, { analyser: 'repetition' }, { analyser: 'length' }],
  analysis_output: {
    edited_text: '{{content}}',
    changes: [],
    remarks: '{{analysis.readability.advice}}',
    note: 'No language model responded, so the text was not edited.',
  },
  checks: [
    { check: 'same_language', field: 'edited_text' },
    { check: 'keeps_numbers', field: 'edited_text' },
    { check: 'keeps_links', field: 'edited_text' },
    { check: 'not_longer_than_input', field: 'edited_text', within: 1.5, on_failure: 'warn' },
  ],
  conclusion: { decision: 'edited by {{method}}', reasoning: '{{note}}' },
}
