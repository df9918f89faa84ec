/** A flow with all types of steps, a condition, and an agent that chooses the next step. */
export const newsroomFlow = (archive: string) => ({
  id: 'newsroom_desk',
  label: 'Newsroom section',
  description: 'Reads an incoming story, decides how it is handled and prepares it for publication.',
  category: 'editorial',
  tags: ['editorial', 'news'],
  steps: [
    {
      id: 'read',
      type: 'ai_prompt',
      label: 'Read the story',
      prompt: 'Sentiment, readability and keywords of the following story:\n\n{{content}}',
      ai_options: { model: 'builtin:text' },
      post_processing: [{ operation: 'format', format: 'json' }],
      output_to_memory: 'reading',
    },
    {
      id: 'archive',
      type: 'external_api',
      label: 'Look into the archive',
      api: { url: `${archive}/stories?about={{metadata.topic}}`, timeout: '10s' },
      error_handling: { on_failure: 'continue' },
      output_to_memory: 'archive',
    },
    {
      id: 'section',
      type: 'conditional',
      label: 'Which section?',
      dependencies: ['read'],
      conditions: [
        {
          field: 'metadata.topic',
          operator: '==',
          value: 'music',
          action: { type: 'continue', next_step: 'culture', reason: 'The culture section has it.' },
        },
      ],
      default_action: { type: 'continue', next_step: 'general' },
    },
    {
      id: 'culture',
      type: 'ai_prompt',
      label: 'Culture section',
      prompt: 'Summarise in three sentences:\n\n{{content}}',
      ai_options: { model: 'builtin:text' },
      output_to_memory: 'summary',
    },
    {
      id: 'general',
      type: 'ai_prompt',
      label: 'General section',
      prompt: 'Summarise in one sentence:\n\n{{content}}',
      ai_options: { model: 'builtin:text' },
      output_to_memory: 'summary',
    },
    {
      id: 'route',
      type: 'ai_prompt',
      label: 'Ready to publish?',
      dependencies: ['culture', 'general', 'archive'],
      prompt: 'Readability of the following text:\n\n{{content}}',
      ai_options: { model: 'builtin:text' },
      agent_routing: true,
      routing_prompt: 'Does the story need another look before it is published?',
      routing_options: {
        publish: { continue_to: 'compose', reason: 'It reads well.' },
        polish: { add_steps: ['polish'], continue_to: 'compose', reason: 'It is hard to read or too short.' },
      },
      output_to_memory: 'review',
    },
    {
      id: 'polish',
      type: 'ai_prompt',
      label: 'Polish the text',
      prompt: 'Suggestions to improve the following text:\n\n{{content}}',
      ai_options: { model: 'builtin:text' },
      output_to_memory: 'suggestions',
    },
    {
      id: 'compose',
      type: 'data_transform',
      label: 'Compose the page',
      transformations: [
        { operation: 'merge', sources: ['reading', 'summary', 'review'], merge_strategy: 'deep' },
      ],
      output_to_memory: 'page',
    },
  ],
})

/** The input of the flow. */
export const story =
  'The town orchestra opened its season on Friday with an evening for strings. The hall was full long before the first note, and the players took the difficult second movement without haste. After the interval a young pianist joined them. She played from memory, looked up once, and smiled. The audience stood for several minutes. The orchestra plays again on Sunday afternoon, and there are still seats in the upper rows.'
