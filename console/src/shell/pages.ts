import IconBinaryTree2 from '@tabler/icons-react/dist/esm/icons/IconBinaryTree2.mjs'
import IconBrain from '@tabler/icons-react/dist/esm/icons/IconBrain.mjs'
import IconCalendarClock from '@tabler/icons-react/dist/esm/icons/IconCalendarClock.mjs'
import IconChartBar from '@tabler/icons-react/dist/esm/icons/IconChartBar.mjs'
import IconHeartbeat from '@tabler/icons-react/dist/esm/icons/IconHeartbeat.mjs'
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import IconMessages from '@tabler/icons-react/dist/esm/icons/IconMessages.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import IconRobot from '@tabler/icons-react/dist/esm/icons/IconRobot.mjs'
import IconRoute from '@tabler/icons-react/dist/esm/icons/IconRoute.mjs'
import IconSettings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs'
import IconWebhook from '@tabler/icons-react/dist/esm/icons/IconWebhook.mjs'

/**
 * All pages of the console. `key` follows `g` in the keyboard shortcut, `entry` is the entry of the navigation that leads
 * to the page, and `permission` is required to open it; one of several is enough. The pages of one entry are its tabs, in
 * this order; `tab` is the label of the tab where the title would repeat the entry.
 */
export const pages = [
  {
    path: '/',
    title: 'Overview',
    about: 'Running and failed executions, approvals and cost',
    key: 'o',
    entry: 'Overview',
    permission: null,
  },
  {
    path: '/workflows',
    title: 'Workflows',
    about: 'Steps of models, agents and services, and their recent runs',
    key: 'f',
    entry: 'Workflows',
    permission: ['run workflows', 'manage workflows', 'view workflow analytics'],
  },
  {
    path: '/agents',
    title: 'Agents',
    about: 'Agents with their cost and success rate',
    key: 'j',
    entry: 'Agents',
    permission: ['run workflows', 'manage workflows', 'view workflow analytics'],
  },
  {
    path: '/playground',
    title: 'Playground',
    about: 'Chat with models; see tokens, latency and cost',
    key: 'm',
    entry: 'Playground',
    permission: null,
  },
  {
    path: '/admin/structure/recipe-onboarding/tours',
    title: 'Tours',
    about: 'Build, preview, analyse and export guided tours',
    key: 't',
    entry: 'Tours',
    permission: [
      'administer recipe tours',
      'create recipe tours',
      'edit recipe tours',
      'delete recipe tours',
      'export recipe tours',
      'view recipe tour analytics',
    ],
  },
  {
    path: '/executions',
    title: 'Executions',
    about: 'Every run of a workflow, with state and cost',
    key: 'x',
    entry: 'Executions',
    permission: ['run workflows', 'manage workflows'],
  },
  {
    path: '/human-tasks',
    title: 'Human tasks',
    about: 'Questions of workflows to people',
    key: 'g',
    entry: 'Executions',
    permission: null,
  },
  {
    path: '/schedules',
    title: 'Schedules',
    about: 'Workflows that run at set times',
    key: 'd',
    entry: 'Schedules',
    permission: ['run workflows', 'manage workflows'],
  },
  {
    path: '/usage',
    title: 'Usage',
    about: 'Calls, tokens and cost, by day, model and account',
    key: 'b',
    entry: 'Usage',
    permission: null,
  },
  {
    path: '/providers',
    title: 'Providers',
    about: 'Model providers, keys, limits and prices',
    key: 'v',
    entry: 'Models',
    permission: 'administer llm',
  },
  {
    path: '/routes',
    title: 'Routes',
    about: 'Names for models: fallbacks, splits, cheapest, fastest',
    key: 'q',
    entry: 'Models',
    permission: null,
  },
  {
    path: '/cluster',
    title: 'Cluster',
    about: 'The nodes that run models, and their load',
    key: 'n',
    entry: 'Models',
    permission: 'administer llm',
  },
  {
    path: '/webhooks',
    title: 'Webhooks',
    about: 'Event subscriptions and deliveries',
    key: 'w',
    entry: 'Integrations',
    permission: 'manage webhooks',
  },
  {
    path: '/webhooks/deliveries',
    title: 'Deliveries',
    about: 'What was sent to webhooks, and their responses',
    key: 'z',
    entry: 'Integrations',
    permission: 'manage webhooks',
  },
  {
    path: '/connections',
    title: 'Connections',
    about: 'Credentials and secrets of HTTP requests',
    key: 'y',
    entry: 'Integrations',
    permission: 'run workflows',
  },
  {
    path: '/mcp-servers',
    title: 'MCP servers',
    about: 'Tool servers, and how to connect to this one',
    key: 's',
    entry: 'Integrations',
    permission: 'administer llm',
  },
  {
    path: '/health',
    title: 'Health',
    about: 'State and response time of all services',
    tab: 'Services',
    key: 'h',
    entry: 'Health',
    permission: 'administer llm',
  },
  {
    path: '/events',
    title: 'Events',
    about: 'Log of all events',
    key: 'e',
    entry: 'Health',
    permission: 'administer llm',
  },
  {
    path: '/interface-usage',
    title: 'Interface usage',
    about: 'Usage events reported by your front end',
    key: 'i',
    entry: 'Health',
    permission: 'administer llm',
  },
  {
    path: '/api-keys',
    title: 'API keys',
    about: 'Keys for programs',
    key: 'k',
    entry: 'Settings',
    permission: null,
  },
  {
    path: '/oauth-clients',
    title: 'OAuth clients',
    about: 'Applications users can connect',
    key: 'c',
    entry: 'Settings',
    permission: null,
  },
  {
    path: '/users',
    title: 'Users',
    about: 'Accounts and their access',
    key: 'u',
    entry: 'Settings',
    permission: 'administer users',
  },
  {
    path: '/roles',
    title: 'Roles',
    about: 'Sets of permissions',
    key: 'r',
    entry: 'Settings',
    permission: 'administer users',
  },
  {
    path: '/audit',
    title: 'Audit log',
    about: 'Sign-ins and changes to access',
    key: 'a',
    entry: 'Settings',
    permission: 'administer users',
  },
  {
    path: '/settings',
    title: 'Platform settings',
    about: 'Models, tiers, notifications, status page and retention',
    tab: 'Platform',
    key: 'l',
    entry: 'Settings',
    permission: ['administer llm', 'administer users', 'administer recipe tours'],
  },
  {
    path: '/profile',
    title: 'Profile',
    about: 'Your account, sessions and connected applications',
    key: 'p',
    entry: null,
    permission: null,
  },
] as const

export type PageEntry = (typeof pages)[number]

/** The entries of the navigation, in groups. The first page of an entry that the account may open is its link. */
export const entryGroups = [
  { title: null, entries: [{ title: 'Overview', icon: IconLayoutDashboard }] },
  {
    title: 'Build',
    entries: [
      { title: 'Workflows', icon: IconBinaryTree2 },
      { title: 'Agents', icon: IconRobot },
      { title: 'Playground', icon: IconMessages },
      { title: 'Tours', icon: IconRoute },
    ],
  },
  {
    title: 'Run',
    entries: [
      { title: 'Executions', icon: IconPlayerPlay },
      { title: 'Schedules', icon: IconCalendarClock },
      { title: 'Usage', icon: IconChartBar },
    ],
  },
  {
    title: 'Platform',
    entries: [
      { title: 'Models', icon: IconBrain },
      { title: 'Integrations', icon: IconWebhook },
      { title: 'Health', icon: IconHeartbeat },
      { title: 'Settings', icon: IconSettings },
    ],
  },
] as const

/** The page of an address: the page itself, or the page above it, such as the list above one item. */
export function pageOf(path: string): PageEntry | undefined {
  return pages
    .filter((page) => path === page.path || path.startsWith(`${page.path}/`))
    .reduce<PageEntry | undefined>(
      (longest, page) => (longest !== undefined && longest.path.length > page.path.length ? longest : page),
      undefined,
    )
}

export const apiReferencePath = '/docs'
