import { defineSettings, refineSetting, type SettingsOf, setting } from '#kernel/config'
import { parseAllowList } from './allow-list.ts'

/** The environment of outbound requests. */
export const outboundSettings = defineSettings({
  allow: refineSetting(
    setting.list('TUTTI_OUTBOUND_ALLOW', {
      about:
        'Hosts, addresses and networks that outbound requests may reach although private, each with :port or without',
      default: [],
    }),
    (entries) => {
      parseAllowList(entries)
      return entries
    },
  ),
})

export type OutboundSettings = SettingsOf<typeof outboundSettings>
