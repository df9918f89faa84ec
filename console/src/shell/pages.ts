import IconActivity from '@tabler/icons-react/dist/esm/icons/IconActivity.mjs'
import IconApps from '@tabler/icons-react/dist/esm/icons/IconApps.mjs'
import IconArrowsSplit2 from '@tabler/icons-react/dist/esm/icons/IconArrowsSplit2.mjs'
import IconBinaryTree2 from '@tabler/icons-react/dist/esm/icons/IconBinaryTree2.mjs'
import IconCalendarClock from '@tabler/icons-react/dist/esm/icons/IconCalendarClock.mjs'
import IconChartBar from '@tabler/icons-react/dist/esm/icons/IconChartBar.mjs'
import IconDeviceAnalytics from '@tabler/icons-react/dist/esm/icons/IconDeviceAnalytics.mjs'
import IconHeartbeat from '@tabler/icons-react/dist/esm/icons/IconHeartbeat.mjs'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import IconLockAccess from '@tabler/icons-react/dist/esm/icons/IconLockAccess.mjs'
import IconMessages from '@tabler/icons-react/dist/esm/icons/IconMessages.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import IconPlugConnected from '@tabler/icons-react/dist/esm/icons/IconPlugConnected.mjs'
import IconRobot from '@tabler/icons-react/dist/esm/icons/IconRobot.mjs'
import IconRoute from '@tabler/icons-react/dist/esm/icons/IconRoute.mjs'
import IconSchema from '@tabler/icons-react/dist/esm/icons/IconSchema.mjs'
import IconServer2 from '@tabler/icons-react/dist/esm/icons/IconServer2.mjs'
import IconShieldCheck from '@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs'
import IconTimelineEvent from '@tabler/icons-react/dist/esm/icons/IconTimelineEvent.mjs'
import IconTools from '@tabler/icons-react/dist/esm/icons/IconTools.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import IconUserCog from '@tabler/icons-react/dist/esm/icons/IconUserCog.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import IconWebhook from '@tabler/icons-react/dist/esm/icons/IconWebhook.mjs'

/**
 * All pages of the console. `key` follows `g` in the keyboard shortcut, `menu` is the menu that lists the page, and
 * `permission` is required to open it; one of several is enough.
 */
export const pages = [
  {
    path: '/',
    title: 'Overview',
    about: 'Running and failed executions, approvals and cost',
    icon: IconLayoutDashboard,
    key: 'o',
    menu: 'work',
    permission: null,
  },
  {
    path: '/flows',
    title: 'Flows',
    about: 'Workflows of models, agents and services',
    icon: IconBinaryTree2,
    key: 'f',
    menu: 'work',
    permission: ['run workflows', 'manage workflows', 'view workflow analytics'],
  },
  {
    path: '/executions',
    title: 'Executions',
    about: 'Every run of a flow, with state and cost',
    icon: IconPlayerPlay,
    key: 'x',
    menu: 'work',
    permission: ['run workflows', 'manage workflows'],
  },
  {
    path: '/agents',
    title: 'Agents',
    about: 'Agents with their cost and success rate',
    icon: IconRobot,
    key: 'j',
    menu: 'work',
    permission: ['run workflows', 'manage workflows', 'view workflow analytics'],
  },
  {
    path: '/workflows',
    title: 'Workflows',
    about: 'Agents combined, and recommendations',
    icon: IconSchema,
    key: 'z',
    menu: 'work',
    permission: ['run workflows', 'manage workflows', 'view workflow analytics'],
  },
  {
    path: '/schedules',
    title: 'Schedules',
    about: 'Flows that run at set times',
    icon: IconCalendarClock,
    key: 'd',
    menu: 'work',
    permission: ['run workflows', 'manage workflows'],
  },
  {
    path: '/live',
    title: 'Live',
    about: 'Workflow events in real time',
    icon: IconActivity,
    key: 'l',
    menu: 'work',
    permission: 'run workflows',
  },
  {
    path: '/playground',
    title: 'Playground',
    about: 'Chat with models; see tokens, latency and cost',
    icon: IconMessages,
    key: 'm',
    menu: 'work',
    permission: null,
  },
  {
    path: '/admin/structure/recipe-onboarding/tours',
    title: 'Tours',
    about: 'Build, preview, analyse and export guided tours',
    icon: IconRoute,
    key: 't',
    menu: 'work',
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
    path: '/health',
    title: 'Health',
    about: 'State and response time of all services',
    icon: IconHeartbeat,
    key: 'h',
    menu: 'platform',
    permission: 'administer llm',
  },
  {
    path: '/cluster',
    title: 'Cluster',
    about: 'The nodes that run models, and their load',
    icon: IconServer2,
    key: 'n',
    menu: 'platform',
    permission: 'administer llm',
  },
  {
    path: '/providers',
    title: 'Providers',
    about: 'Model providers, keys, limits and prices',
    icon: IconPlugConnected,
    key: 'v',
    menu: 'platform',
    permission: 'administer llm',
  },
  {
    path: '/routes',
    title: 'Routes',
    about: 'Names for models: fallbacks, splits, cheapest, fastest',
    icon: IconArrowsSplit2,
    key: 'q',
    menu: 'platform',
    permission: null,
  },
  {
    path: '/usage',
    title: 'Usage',
    about: 'Calls, tokens and cost, by day, model and account',
    icon: IconChartBar,
    key: 'b',
    menu: 'platform',
    permission: null,
  },
  {
    path: '/webhooks',
    title: 'Webhooks',
    about: 'Event subscriptions and deliveries',
    icon: IconWebhook,
    key: 'w',
    menu: 'platform',
    permission: 'manage webhooks',
  },
  {
    path: '/connections',
    title: 'Connections',
    about: 'Credentials and secrets of HTTP requests',
    icon: IconLockAccess,
    key: 'y',
    menu: 'platform',
    permission: 'run workflows',
  },
  {
    path: '/mcp-servers',
    title: 'MCP servers',
    about: 'Tool servers, and how to connect to this one',
    icon: IconTools,
    key: 's',
    menu: 'platform',
    permission: 'administer llm',
  },
  {
    path: '/events',
    title: 'Events',
    about: 'Log of all events',
    icon: IconTimelineEvent,
    key: 'e',
    menu: 'platform',
    permission: 'administer llm',
  },
  {
    path: '/interface-usage',
    title: 'Interface usage',
    about: 'Usage events reported by your front end',
    icon: IconDeviceAnalytics,
    key: 'i',
    menu: 'platform',
    permission: 'administer llm',
  },
  {
    path: '/api-keys',
    title: 'API keys',
    about: 'Keys for programs',
    icon: IconKey,
    key: 'k',
    menu: 'access',
    permission: null,
  },
  {
    path: '/oauth-clients',
    title: 'OAuth clients',
    about: 'Applications users can connect',
    icon: IconApps,
    key: 'c',
    menu: 'access',
    permission: null,
  },
  {
    path: '/users',
    title: 'Users',
    about: 'Accounts and their access',
    icon: IconUsers,
    key: 'u',
    menu: 'access',
    permission: 'administer users',
  },
  {
    path: '/roles',
    title: 'Roles',
    about: 'Sets of permissions',
    icon: IconUserCog,
    key: 'r',
    menu: 'access',
    permission: 'administer users',
  },
  {
    path: '/audit',
    title: 'Audit log',
    about: 'Sign-ins and changes to access',
    icon: IconShieldCheck,
    key: 'a',
    menu: 'access',
    permission: 'administer users',
  },
  {
    path: '/profile',
    title: 'Profile',
    about: 'Your account, sessions and connected applications',
    icon: IconUser,
    key: 'p',
    menu: 'account',
    permission: null,
  },
] as const

export type PageEntry = (typeof pages)[number]

export const apiReferencePath = '/docs'
