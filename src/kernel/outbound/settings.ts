import { defineSettings, type Setting, type SettingsOf, setting } from '#kernel/config'
import { parseAllowList } from './allow-list.ts'

const allow = setting.list('TUTTI_OUTBOUND_ALLOW', {
  about:
    'Hosts, addresses and networks that outbound requests may reach although private, each with :port or without',
  default: [],
})

const checkedAllow: Setting<readonly string[]> = {
  ...allow,
  parse(text) {
    const entries = allow.parse(text)
    parseAllowList(entries)
    return entries
  },
}

/** The environment of outbound requests. */
export const outboundSettings = defineSettings({ allow: checkedAllow })

export type OutboundSettings = SettingsOf<typeof outboundSettings>
