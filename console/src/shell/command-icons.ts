import IconActivity from '@tabler/icons-react/dist/esm/icons/IconActivity.mjs'
import IconAdjustments from '@tabler/icons-react/dist/esm/icons/IconAdjustments.mjs'
import IconApps from '@tabler/icons-react/dist/esm/icons/IconApps.mjs'
import IconArrowsSplit2 from '@tabler/icons-react/dist/esm/icons/IconArrowsSplit2.mjs'
import IconBinaryTree2 from '@tabler/icons-react/dist/esm/icons/IconBinaryTree2.mjs'
import IconBook2 from '@tabler/icons-react/dist/esm/icons/IconBook2.mjs'
import IconCalendarClock from '@tabler/icons-react/dist/esm/icons/IconCalendarClock.mjs'
import IconChartBar from '@tabler/icons-react/dist/esm/icons/IconChartBar.mjs'
import IconClipboardCopy from '@tabler/icons-react/dist/esm/icons/IconClipboardCopy.mjs'
import IconDeviceAnalytics from '@tabler/icons-react/dist/esm/icons/IconDeviceAnalytics.mjs'
import IconFlag from '@tabler/icons-react/dist/esm/icons/IconFlag.mjs'
import IconHeartbeat from '@tabler/icons-react/dist/esm/icons/IconHeartbeat.mjs'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import IconKeyboard from '@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs'
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import IconLayoutSidebar from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebar.mjs'
import IconLockAccess from '@tabler/icons-react/dist/esm/icons/IconLockAccess.mjs'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import IconMessages from '@tabler/icons-react/dist/esm/icons/IconMessages.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import IconPlugConnected from '@tabler/icons-react/dist/esm/icons/IconPlugConnected.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconRobot from '@tabler/icons-react/dist/esm/icons/IconRobot.mjs'
import IconRoute from '@tabler/icons-react/dist/esm/icons/IconRoute.mjs'
import IconSend from '@tabler/icons-react/dist/esm/icons/IconSend.mjs'
import IconServer2 from '@tabler/icons-react/dist/esm/icons/IconServer2.mjs'
import IconShieldCheck from '@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs'
import IconTerminal2 from '@tabler/icons-react/dist/esm/icons/IconTerminal2.mjs'
import IconTimelineEvent from '@tabler/icons-react/dist/esm/icons/IconTimelineEvent.mjs'
import IconTools from '@tabler/icons-react/dist/esm/icons/IconTools.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import IconUserCog from '@tabler/icons-react/dist/esm/icons/IconUserCog.mjs'
import IconUserQuestion from '@tabler/icons-react/dist/esm/icons/IconUserQuestion.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import IconWebhook from '@tabler/icons-react/dist/esm/icons/IconWebhook.mjs'
import { colorSchemes } from './color-schemes.ts'
import type { PageEntry } from './pages.ts'

const pageIcons: Record<PageEntry['path'], typeof IconPlus> = {
  '/': IconLayoutDashboard,
  '/workflows': IconBinaryTree2,
  '/agents': IconRobot,
  '/playground': IconMessages,
  '/admin/structure/recipe-onboarding/tours': IconRoute,
  '/executions': IconPlayerPlay,
  '/human-tasks': IconUserQuestion,
  '/schedules': IconCalendarClock,
  '/usage': IconChartBar,
  '/providers': IconPlugConnected,
  '/routes': IconArrowsSplit2,
  '/cluster': IconServer2,
  '/webhooks': IconWebhook,
  '/webhooks/deliveries': IconSend,
  '/connections': IconLockAccess,
  '/mcp-servers': IconTools,
  '/health': IconHeartbeat,
  '/events': IconTimelineEvent,
  '/interface-usage': IconDeviceAnalytics,
  '/api-keys': IconKey,
  '/oauth-clients': IconApps,
  '/users': IconUsers,
  '/roles': IconUserCog,
  '/audit': IconShieldCheck,
  '/settings': IconAdjustments,
  '/profile': IconUser,
}

/** The icons of commands by their id. They are loaded with the palette, because only the palette shows them. */
export const commandIcons: ReadonlyMap<string, typeof IconPlus> = new Map([
  ...Object.entries(pageIcons).map(([path, icon]) => [`page ${path}`, icon] as const),
  ...colorSchemes.map(({ value, icon }) => [`colour scheme ${value}`, icon] as const),
  ['api reference', IconBook2],
  ['live', IconActivity],
  ['navigation', IconLayoutSidebar],
  ['copy request id', IconClipboardCopy],
  ['copy last change', IconTerminal2],
  ['tour', IconFlag],
  ['shortcuts', IconKeyboard],
  ['sign out', IconLogout],
])

/** The icon of commands that create something. */
export const creationIcon = IconPlus
