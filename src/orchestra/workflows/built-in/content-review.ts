import type { BuiltInFlow } from '#engine'

export const contentReview: BuiltInFlow = {
  definition: {
    id: 'content_review',
    label: 'Content review',
    description:
      'Four agents look at a text at once: an editor, and checks of readability, of structure and links, and of compliance. Put the text into `content`.',
    version: '1.0.0',
    category: 'content',
    tags: ['review', 'quality', 'readability', 'compliance'],
    steps: [
      { id: 'review', type: 'agent', label: 'Review it', agent: 'content_quality_reviewer' },
      { id: 'readability', type: 'agent', label: 'How easy is it to read?', agent: 'readability_analyst' },
      { id: 'structure', type: 'agent', label: 'Structure and links', agent: 'structure_and_link_checker' },
      { id: 'compliance', type: 'agent', label: 'May it be published?', agent: 'compliance_checker' },
    ],
  },
  metadata: {
    use_cases: ['Review a text before it is published', 'See the weak places of a text'],
    complexity_level: 'simple',
  },
}
