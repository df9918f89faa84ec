import type { Database } from '#kernel/database'
import { consoleSite } from '../sites/site.ts'
import { noTargeting } from '../targeting/targeting.ts'
import { renumberTips, type Tip, type TourContent } from '../tour.ts'

const welcomeTourId = 'welcome'

/** A built-in flow that runs without any provider. */
const sampleFlow = '/workflows/summarise_and_translate'

/** The page of any execution: the visitor opens one by running the workflow. */
const anyRun = '/executions/*'

/** The pages of the tour; each of them shows the invitation. */
const routes = ['/', sampleFlow, anyRun, '/api-keys'].map((route_name) => ({ route_name }))

/** Falls back to the menu button: small screens hide the navigation, and some accounts do not see every page. */
const inNavigation = (entry: string): Partial<Tip> => ({
  selector: `[data-tour="nav-${entry}"]`,
  candidates: ['[data-tour="menu"]', '[data-tour="navigation"]'],
  location: 'right',
})

const steps: readonly Partial<Tip>[] = [
  {
    id: 'welcome',
    label: 'Welcome to Tutti',
    body: '<p>Models, workflows and agents in one place. This tour takes three minutes. <strong>Escape</strong> ends it at any time, the arrow keys move through it.</p>',
    selector: '',
    location: 'center',
  },
  {
    id: 'find-anything',
    label: 'Command palette',
    body: '<p>Press <code>Ctrl K</code> (<code>⌘ K</code> on a Mac) and type a few letters to find any page or action. <code>?</code> lists all shortcuts.</p>',
    selector: '[data-tour="palette"]',
    location: 'bottom',
  },
  {
    id: 'overview',
    label: 'Overview',
    body: '<p>The overview shows running and failed executions, pending approvals, and how much of today’s budget is spent. The groups below are for building, running and operating.</p>',
    ...inNavigation('overview'),
  },
  {
    id: 'flow',
    label: 'Workflows',
    body: '<p>A workflow combines prompts, conditions, HTTP requests and agents, in sequence or in parallel. This built-in workflow checks a text, summarises it and translates it.</p>',
    route: sampleFlow,
    // No fallback: the navigation is visible before the workflow is loaded.
    selector: '[data-tour="flow-graph"]',
    location: 'top',
  },
  {
    id: 'run-flow',
    label: 'Run a workflow',
    body: '<p>Click <strong>Run</strong>: a sample text is filled in, and the built-in model is free. The tour continues on the page of the run. <strong>Next</strong> goes on without a run.</p>',
    route: sampleFlow,
    selector: '[data-tour="run-flow"]',
    candidates: ['[data-tour="nav-workflows"]', '[data-tour="menu"]', '[data-tour="navigation"]'],
    location: 'bottom',
  },
  {
    id: 'result',
    label: 'Result',
    body: '<p>When the run has completed, its result is here: as text, as a tree, to copy or to download. <strong>Input</strong> beside it has what the run was given.</p>',
    route: anyRun,
    selector: '[data-tour="tab-result"]',
    location: 'bottom',
  },
  {
    id: 'timeline',
    label: 'Timeline and cost',
    body: '<p>The timeline has each step with its time, cost and output. When a step fails, the page shows the cause and leads to the step in the editor.</p>',
    route: anyRun,
    selector: '[data-tour="tab-timeline"]',
    location: 'bottom',
  },
  {
    id: 'edit-flow',
    label: 'Edit',
    body: '<p>Click here to change the workflow; a built-in one opens as a copy. Save it and run it: the tour waits for you. Every version is kept and can be restored.</p>',
    route: anyRun,
    selector: '[data-tour="edit-copy"]',
    candidates: ['[data-tour="run-workflow"]'],
    location: 'bottom',
  },
  {
    id: 'run-again',
    label: 'Run again',
    body: '<p>Runs the workflow again with the same input or your own, in the same or the latest version. Both runs can be compared afterwards.</p>',
    route: anyRun,
    selector: '[data-tour="run-again"]',
    location: 'bottom',
  },
  {
    id: 'api-keys',
    label: 'API keys',
    body: '<p>The whole platform has an HTTP API. Create a key, choose its scopes, and open the API reference at the bottom of the navigation.</p>',
    route: '/api-keys',
    ...inNavigation('settings'),
  },
  {
    id: 'account',
    label: 'Your account',
    body: '<p>Your profile, your sessions and this tour are in your menu. You can create tours like this one for any page: open <strong>Tours</strong> in the navigation.</p>',
    selector: '[data-tour="account"]',
    location: 'bottom',
  },
]

/** The built-in tour of the console. */
export const welcomeTour: TourContent = {
  label: 'A tour of the console',
  routes,
  recipe_id: null,
  launch: 'invite',
  langcode: 'en',
  translations: [],
  site_id: consoleSite,
  targeting: noTargeting,
  tips: renumberTips(
    steps.map((step) => ({
      id: '',
      label: '',
      body: '',
      selector: '',
      location: 'center',
      position: null,
      weight: 0,
      route: null,
      candidates: [],
      target_text: null,
      advance: 'next',
      ...step,
    })),
  ),
}

/**
 * Publishes the welcome tour once: a deleted one is not added again, and a tour with the same id is kept. An unedited
 * welcome tour is updated with each release.
 */
export async function seedWelcomeTour(database: Pick<Database, 'query'>): Promise<void> {
  const { label, tips, launch, site_id } = welcomeTour
  const values = [welcomeTourId, label, JSON.stringify(routes), JSON.stringify(tips), launch, site_id]
  await database.query(
    `
      with fresh as (
        insert into tour_seeds (name) values ($1)
        on conflict (name) do nothing
        returning name
      )
      insert into tours (id, label, status, routes, tips, launch, site_id)
      select name, $2, true, $3, $4, $5, $6 from fresh
      on conflict (id) do nothing
    `,
    values,
  )
  await database.query(
    `
      update tours
      set label = $2, routes = $3, tips = $4, launch = $5, site_id = $6
      where id = $1 and revision = 1 and created_by is null
        and (label, routes, tips, launch, site_id) is distinct from ($2, $3::jsonb, $4::jsonb, $5, $6)
    `,
    values,
  )
}
