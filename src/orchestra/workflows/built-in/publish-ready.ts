import type { BuiltInFlow } from '#engine'

export const publishReady: BuiltInFlow = {
  definition: {
    id: 'publish_ready',
    label: 'Publish-ready',
    description:
      'Takes a draft to publication: it is reviewed, edited with the review at hand, its numbers and dates are checked, and a title and description are written for it. Put the draft into `content`. Without a language model the text stays as it is, and everything that can be measured is told.',
    version: '1.0.0',
    category: 'content',
    tags: ['review', 'editing', 'publishing', 'seo'],
    steps: [
      { id: 'review', type: 'agent', label: 'Review the draft', agent: 'content_quality_reviewer' },
      {
        id: 'edit',
        type: 'agent',
        label: 'Edit it',
        agent: 'copy_editor',
        dependencies: ['review'],
        instructions:
          'A reviewer found these weaknesses; mend what an editor can: {{steps.review.weaknesses}}',
      },
      {
        id: 'facts',
        type: 'agent',
        label: 'Check numbers and dates',
        agent: 'fact_and_number_checker',
        dependencies: ['edit'],
        input: '{{steps.edit.edited_text}}',
      },
      {
        id: 'meta',
        type: 'agent',
        label: 'Write title and description',
        agent: 'meta_writer',
        dependencies: ['facts'],
        input: '{{steps.edit.edited_text}}',
      },
    ],
  },
  metadata: {
    use_cases: ['Make a draft ready for publication', 'Edit a text and write its title'],
    complexity_level: 'moderate',
  },
}
