import type { Database } from '#kernel/database'
import { renumberTips, type Tip, type TourContent } from '../tour.ts'

export const welcomeTourId = 'welcome'

/** A built-in flow that runs without any provider. */
const sampleFlow = '/workflows/summarise_and_translate'

/** The pages of the tour; each of them shows the invitation. */
const routes = ['/', sampleFlow, '/playground', '/cluster', '/webhooks', '/api-keys'].map((route_name) => ({
  route_name,
}))

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
    body: '<p>The overview shows running and failed executions, pending approvals, and how much of today’s budget is spent.</p>',
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
    body: '<p>A sample text is filled in, and the built-in model is free. You see each step live, with its time and cost. When a step fails, you can resume from there.</p>',
    route: sampleFlow,
    selector: '[data-tour="run-flow"]',
    candidates: ['[data-tour="nav-workflows"]', '[data-tour="menu"]', '[data-tour="navigation"]'],
    location: 'bottom',
  },
  {
    id: 'edit-flow',
    label: 'Edit a copy',
    body: '<p>A copy opens in the editor. Edit it as a graph, a list or JSON, test it with a sample, and save it. Every version is kept and can be restored.</p>',
    route: sampleFlow,
    selector: '[data-tour="edit-flow"]',
    candidates: ['[data-tour="nav-workflows"]', '[data-tour="menu"]', '[data-tour="navigation"]'],
    location: 'bottom',
  },
  {
    id: 'playground',
    label: 'Playground',
    body: '<p>The playground sends a prompt to any model and streams the response, with tokens, time and cost. The built-in model <code>builtin:text</code> needs no provider.</p>',
    route: '/playground',
    ...inNavigation('playground'),
  },
  {
    id: 'cluster',
    label: 'Cluster nodes',
    body: '<p>Administrators add providers and their own model nodes under <strong>Models</strong>. Requests are sent to healthy nodes that have the model; when a node fails, the next one takes over.</p>',
    ...inNavigation('models'),
  },
  {
    id: 'webhooks',
    label: 'Webhooks',
    body: '<p>Under <strong>Integrations</strong>, a webhook notifies another program when a workflow ends. Deliveries are signed and retried until they succeed. You can inspect and redeliver each of them.</p>',
    ...inNavigation('integrations'),
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
  tips: renumberTips(
    steps.map((step) => ({
      id: '',
      label: '',
      body: '',
      selector: '',
      location: 'center',
      weight: 0,
      route: null,
      candidates: [],
      target_text: null,
      ...step,
    })),
  ),
}

/**
 * Publishes the welcome tour once: a deleted one is not added again, and a tour with the same id is kept. An unedited
 * welcome tour is updated with each release.
 */
export async function seedWelcomeTour(database: Pick<Database, 'query'>): Promise<void> {
  const { label, tips, launch } = welcomeTour
  const values = [welcomeTourId, label, JSON.stringify(routes), JSON.stringify(tips), launch]
  await database.query(
    `
      with fresh as (
        insert into tour_seeds (name) values ($1)
        on conflict (name) do nothing
        returning name
      )
      insert into tours (id, label, status, routes, tips, launch)
      select name, $2, true, $3, $4, $5 from fresh
      on conflict (id) do nothing
    `,
    values,
  )
  await database.query(
    `
      update tours
      set label = $2, routes = $3, tips = $4, launch = $5
      where id = $1 and revision = 1 and created_by is null
        and (label, routes, tips, launch) is distinct from ($2, $3::jsonb, $4::jsonb, $5)
    `,
    values,
  )
}
