import { inOrder, type Tip, type TourContent } from '../tour.ts'

export const welcomeTourId = 'welcome'

/** A flow that comes along and runs with what the platform has itself. */
const sampleFlow = '/flows/summarise_and_translate'

/** Pages the tour goes through; it invites on each of them. */
const routes = ['/', sampleFlow, '/playground', '/cluster', '/webhooks', '/api-keys'].map((route_name) => ({
  route_name,
}))

/** On small screens the navigation hides behind its button, and not everybody sees every page. */
const inNavigation = (page: string): Partial<Tip> => ({
  selector: `[data-tour="page-${page}"]`,
  candidates: ['[data-tour="menu"]', '[data-tour="navigation"]'],
  location: 'right',
})

const steps: readonly Partial<Tip>[] = [
  {
    id: 'welcome',
    label: 'Welcome to Tutti',
    body: '<p>Models, workflows and the people who use them, in one place. This takes three minutes. Leave whenever you like: <strong>Escape</strong> ends the tour, the arrow keys move through it.</p>',
    selector: '',
    location: 'center',
  },
  {
    id: 'find-anything',
    label: 'Go anywhere, do anything',
    body: '<p>Press <code>Ctrl K</code> (<code>⌘ K</code> on a Mac) and type a few letters: every page and every action is in here. <code>?</code> lists all shortcuts.</p>',
    selector: '[data-tour="palette"]',
    location: 'bottom',
  },
  {
    id: 'overview',
    label: 'What runs, and how it is doing',
    body: '<p>The overview is the first page of the day: what runs, what failed, what waits for you, and what was spent of today’s money.</p>',
    ...inNavigation('overview'),
  },
  {
    id: 'flow',
    label: 'A flow, step by step',
    body: '<p>Flows are the heart of it: models, decisions, calls to other services and agents, one after the other or side by side. This one comes along. It checks a text, sums it up and translates it.</p>',
    route: sampleFlow,
    // Nothing else may stand in for it: the navigation is there before the flow is.
    selector: '[data-tour="flow-graph"]',
    location: 'top',
  },
  {
    id: 'run-flow',
    label: 'Run it',
    body: '<p>A sample text is filled in already, and the built-in model costs nothing. You see each step as it happens, word by word, with its time and cost; when one fails, you go on from there.</p>',
    route: sampleFlow,
    selector: '[data-tour="run-flow"]',
    candidates: ['[data-tour="page-flows"]', '[data-tour="menu"]', '[data-tour="navigation"]'],
    location: 'bottom',
  },
  {
    id: 'edit-flow',
    label: 'Make it yours',
    body: '<p>A copy opens in the editor: draw it, list it or write it as JSON, try it on a sample, and save. Every version stays, and any of them can be brought back.</p>',
    route: sampleFlow,
    selector: '[data-tour="edit-flow"]',
    candidates: ['[data-tour="page-flows"]', '[data-tour="menu"]', '[data-tour="navigation"]'],
    location: 'bottom',
  },
  {
    id: 'playground',
    label: 'Ask a model',
    body: '<p>The playground sends a question to any model and shows the answer as it comes, with its tokens, its time and what it cost. The built-in model <code>builtin:text</code> answers without any provider.</p>',
    route: '/playground',
    ...inNavigation('playground'),
  },
  {
    id: 'cluster',
    label: 'Machines that run models',
    body: '<p>Administrators add their own model nodes here. Requests go to healthy nodes that have the model; when one fails, the next takes over.</p>',
    ...inNavigation('cluster'),
  },
  {
    id: 'webhooks',
    label: 'Tell others what happens',
    body: '<p>A webhook tells another program when a workflow ends, signed and sent again until it arrives. Every delivery can be read and repeated.</p>',
    ...inNavigation('webhooks'),
  },
  {
    id: 'api-keys',
    label: 'Let programs in',
    body: '<p>Everything here is an HTTP interface. Create a key, choose what it may do, and open the API reference at the foot of the navigation for the calls.</p>',
    route: '/api-keys',
    ...inNavigation('api-keys'),
  },
  {
    id: 'account',
    label: 'That is all',
    body: '<p>Your profile, your sessions and this tour are in your menu. Tours like this one can be made for any page: look for <strong>Tours</strong> in the navigation.</p>',
    selector: '[data-tour="account"]',
    location: 'bottom',
  },
]

/** The tour of the console that every installation comes with. */
export const welcomeTour: TourContent = {
  label: 'A tour of the console',
  routes,
  recipe_id: null,
  launch: 'invite',
  tips: inOrder(
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
