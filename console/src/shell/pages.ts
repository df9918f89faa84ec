import IconActivity from '@tabler/icons-react/dist/esm/icons/IconActivity.mjs'
import IconApps from '@tabler/icons-react/dist/esm/icons/IconApps.mjs'
import IconBinaryTree2 from '@tabler/icons-react/dist/esm/icons/IconBinaryTree2.mjs'
import IconCalendarClock from '@tabler/icons-react/dist/esm/icons/IconCalendarClock.mjs'
import IconChartBar from '@tabler/icons-react/dist/esm/icons/IconChartBar.mjs'
import IconDeviceAnalytics from '@tabler/icons-react/dist/esm/icons/IconDeviceAnalytics.mjs'
import IconHeartbeat from '@tabler/icons-react/dist/esm/icons/IconHeartbeat.mjs'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
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
 * Every page of the console. `key` is what follows `g` on the keyboard; `menu` is where the page is listed, `permission`
 * what an account needs to open it; of several, one.
 */
export const pages = [
  {
    path: '/',
    title: 'Overview',
    about: 'What runs, what failed, what waits for you, and what it costs',
    icon: IconLayoutDashboard,
    key: 'o',
    menu: 'work',
    permission: null,
  },
  {
    path: '/flows',
    title: 'Flows',
    about: 'What models, agents and services do together, step by step',
    icon: IconBinaryTree2,
    key: 'f',
    menu: 'work',
    permission: ['run workflows', 'manage workflows', 'view workflow analytics'],
  },
  {
    path: '/executions',
    title: 'Executions',
    about: 'Every run of a flow: what runs, what failed, what it cost',
    icon: IconPlayerPlay,
    key: 'x',
    menu: 'work',
    permission: ['run workflows', 'manage workflows'],
  },
  {
    path: '/agents',
    title: 'Agents',
    about: 'Who can do what with a text, for how much, and how well',
    icon: IconRobot,
    key: 'j',
    menu: 'work',
    permission: ['run workflows', 'manage workflows', 'view workflow analytics'],
  },
  {
    path: '/workflows',
    title: 'Workflows',
    about: 'Agents that work together, and which suit what you have',
    icon: IconSchema,
    key: 'z',
    menu: 'work',
    permission: ['run workflows', 'manage workflows', 'view workflow analytics'],
  },
  {
    path: '/schedules',
    title: 'Schedules',
    about: 'Flows that run by the clock, and when next',
    icon: IconCalendarClock,
    key: 'd',
    menu: 'work',
    permission: ['run workflows', 'manage workflows'],
  },
  {
    path: '/live',
    title: 'Live',
    about: 'What happens in workflows, as it happens',
    icon: IconActivity,
    key: 'l',
    menu: 'work',
    permission: 'run workflows',
  },
  {
    path: '/playground',
    title: 'Playground',
    about: 'Ask models, and see what their answers take',
    icon: IconMessages,
    key: 'm',
    menu: 'work',
    permission: null,
  },
  {
    path: '/admin/structure/recipe-onboarding/tours',
    title: 'Tours',
    about: 'Guided tours: build, play, measure, ship as recipes',
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
    about: 'Whether the services are well and fast, and since when',
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
    about: 'Who answers with models, their keys and prices',
    icon: IconPlugConnected,
    key: 'v',
    menu: 'platform',
    permission: 'administer llm',
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
    about: 'Who is told what happens, and whether it arrives',
    icon: IconWebhook,
    key: 'w',
    menu: 'platform',
    permission: 'manage webhooks',
  },
  {
    path: '/mcp-servers',
    title: 'MCP servers',
    about: 'Servers of tools, and how to connect to this one',
    icon: IconTools,
    key: 's',
    menu: 'platform',
    permission: 'administer llm',
  },
  {
    path: '/events',
    title: 'Events',
    about: 'The log of everything that happened',
    icon: IconTimelineEvent,
    key: 'e',
    menu: 'platform',
    permission: 'administer llm',
  },
  {
    path: '/interface-usage',
    title: 'Interface usage',
    about: 'What people use of the interface that reports to this platform',
    icon: IconDeviceAnalytics,
    key: 'i',
    menu: 'platform',
    permission: 'administer llm',
  },
  {
    path: '/api-keys',
    title: 'API keys',
    about: 'Keys for programs that work for you',
    icon: IconKey,
    key: 'k',
    menu: 'access',
    permission: null,
  },
  {
    path: '/oauth-clients',
    title: 'OAuth clients',
    about: 'Applications that people can connect',
    icon: IconApps,
    key: 'c',
    menu: 'access',
    permission: null,
  },
  {
    path: '/users',
    title: 'Users',
    about: 'Accounts, and what each may do',
    icon: IconUsers,
    key: 'u',
    menu: 'access',
    permission: 'administer users',
  },
  {
    path: '/roles',
    title: 'Roles',
    about: 'Permissions that go together',
    icon: IconUserCog,
    key: 'r',
    menu: 'access',
    permission: 'administer users',
  },
  {
    path: '/audit',
    title: 'Audit log',
    about: 'Sign-ins, and changes to what gives access',
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
