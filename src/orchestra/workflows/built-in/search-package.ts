import type { BuiltInFlow } from '#engine'

export const searchPackage: BuiltInFlow = {
  definition: {
    id: 'search_package',
    label: 'Search package',
    description:
      'What a page needs to be found: an audit and an analysis of its keywords at the same time, then a title and description that go by both. Put the page into `content`.',
    version: '1.0.0',
    category: 'seo',
    tags: ['seo', 'keywords', 'metadata'],
    steps: [
      { id: 'audit', type: 'agent', label: 'Audit the page', agent: 'seo_auditor' },
      { id: 'keywords', type: 'agent', label: 'Find its keywords', agent: 'keyword_analyst' },
      {
        id: 'meta',
        type: 'agent',
        label: 'Write title and description',
        agent: 'meta_writer',
        dependencies: ['audit', 'keywords'],
        parameters: { keyword: '{{steps.keywords.primary_keyword}}' },
        instructions: 'An audit of the page says: {{steps.audit}}',
      },
    ],
  },
  metadata: {
    use_cases: ['Have a page found by search engines', 'Write titles and descriptions of pages'],
    complexity_level: 'moderate',
  },
}
