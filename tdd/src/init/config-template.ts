/** What `init` writes into a project that has no configuration. */
export function configTemplate(projectType: string, coverageToday: number | undefined): string {
  const threshold = coverageToday === undefined ? 95 : Math.min(95, Math.floor(coverageToday))
  const today = coverageToday === undefined ? '' : ' (what it is today, at most 95)'
  return `# How tutti-tdd holds this project to tests first. Every field may be left out.
project:
  ${projectType === 'unknown' ? '# type: web' : `type: ${projectType}`}
  # language: typescript       # which tests to run where several kinds live together
  # framework: vitest          # the test runner, or a framework such as django, rails, drupal

testing:
  coverageThreshold: ${threshold}        # percent${today}
  timeout: 120000              # milliseconds that a run of the tests may take
  # command: npm test -- --reporter=junit --outputFile={report}
  # reports: [build/test-results/**/*.xml]
  # lintCommand: npm run lint  # what validate runs in REFACTOR; off for none

tdd:
  enforceWorkflow: true        # refuse steps out of order, block code in RED
  requireTestFirst: true       # new code needs a test
  # requireProvenRed: true     # GREEN needs a run that showed a failing test; strict asks for it

team:
  enforcementLevel: strict     # strict blocks, warn adds context, off only observes
  sharedMetrics: false         # keep numbers in .tdd/metrics, to be committed
  notifications: false         # desktop notifications for the person at the machine

# files:                       # globs, from here, where the built-in rules are wrong
#   test: [qa/**]
#   neutral: [styles/**]
#   generated: [src/api/**]
#   implementation: []
`
}
