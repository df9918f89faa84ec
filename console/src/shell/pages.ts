import IconActivity from '@tabler/icons-react/dist/esm/icons/IconActivity.mjs'
import IconApps from '@tabler/icons-react/dist/esm/icons/IconApps.mjs'
import IconChartBar from '@tabler/icons-react/dist/esm/icons/IconChartBar.mjs'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import IconMessages from '@tabler/icons-react/dist/esm/icons/IconMessages.mjs'
import IconPlugConnected from '@tabler/icons-react/dist/esm/icons/IconPlugConnected.mjs'
import IconServer2 from '@tabler/icons-react/dist/esm/icons/IconServer2.mjs'
import IconShieldCheck from '@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs'
import IconTimelineEvent from '@tabler/icons-react/dist/esm/icons/IconTimelineEvent.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import IconUserCog from '@tabler/icons-react/dist/esm/icons/IconUserCog.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import IconWebhook from '@tabler/icons-react/dist/esm/icons/IconWebhook.mjs'

/**
 * Every page of the console. `key` is what follows `g` on the keyboard; `menu` is where the page is listed, `permission`
 * what an account needs to open it.
 */
export const pages = [
  {
    path: '/',
    title: 'Overview',
    about: 'What runs, and how it is doing',
    icon: IconLayoutDashboard,
    key: 'o',
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
    path: '/playground',
    title: 'Playground',
    about: 'Ask models, and see what their answers take',
    icon: IconMessages,
    key: 'm',
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
    path: '/providers',
    title: 'Providers',
    about: 'Who answers with models, their keys and prices',
    icon: IconPlugConnected,
    key: 'v',
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
    path: '/live',
    title: 'Live',
    about: 'What happens in workflows, as it happens',
    icon: IconActivity,
    key: 'l',
    menu: 'platform',
    permission: 'run workflows',
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
