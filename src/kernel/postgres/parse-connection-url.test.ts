import { describe, expect, test } from 'vitest'
import { parseConnectionUrl } from './parse-connection-url.ts'

const parse = (text: string) => parseConnectionUrl('DATABASE_URL', text)

function refusal(text: string): string {
  try {
    parse(text)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  throw new Error(`accepted ${text}`)
}

describe('a connection URL', () => {
  test('names user, password, host, port and database, percent-encoded', () => {
    expect(parse('postgresql://al%40ice:p%2Fw%23%3A%3F@db.internal:6543/my%20data')).toMatchObject({
      variable: 'DATABASE_URL',
      user: 'al@ice',
      password: 'p/w#:?',
      hosts: [{ host: 'db.internal', port: 6543 }],
      database: 'my data',
      applicationName: 'tutti',
      sessionAttributes: 'any',
      tls: { mode: 'prefer' },
    })
  })

  test('may name several hosts, which must then accept writes', () => {
    expect(parse('postgres://u:p@a,b:6000,[::1]:7000,[fe80::1]/d')).toMatchObject({
      hosts: [
        { host: 'a', port: 5432 },
        { host: 'b', port: 6000 },
        { host: '::1', port: 7000 },
        { host: 'fe80::1', port: 5432 },
      ],
      sessionAttributes: 'read-write',
    })
  })

  test('takes hosts and ports from parameters, as libpq does', () => {
    expect(parse('postgres:///d?host=a,b&port=6000,7000&user=me&password=pw').hosts).toEqual([
      { host: 'a', port: 6000 },
      { host: 'b', port: 7000 },
    ])
    expect(parse('postgres://me@/d?host=a,b&port=6000').hosts.map(({ port }) => port)).toEqual([6000, 6000])
    expect(parse('postgres://me@h?dbname=other')).toMatchObject({ database: 'other' })
    expect(parse('postgres://me@h')).toMatchObject({ database: 'me', password: undefined })
  })

  test.each(['postgres://me@%2Frun%2Fpg/d?sslmode=verify-full', 'postgres://me@/d?host=/run/pg'])(
    '%s is a Unix socket, which is never encrypted',
    (url) => {
      expect(parse(url)).toMatchObject({ hosts: [{ host: '/run/pg', port: 5432 }], tls: { mode: 'disable' } })
    },
  )

  test('takes the files and modes of TLS', () => {
    expect(
      parse('postgres://me@h/d?sslmode=verify-full&sslrootcert=/ca.pem&sslcert=/c.pem&sslkey=/k.pem').tls,
    ).toEqual({ mode: 'verify-full', rootCertificate: '/ca.pem', certificate: '/c.pem', key: '/k.pem' })
    expect(parse('postgres://me@h/d?sslrootcert=system').tls.mode).toBe('verify-full')
  })

  test('takes a time limit, a name and harmless options', () => {
    expect(
      parse(
        'postgres://me@h/d?connect_timeout=7&application_name=team%20a&options=-c%20search_path%3Dtutti%20--work_mem%3D8MB&target_session_attrs=primary',
      ),
    ).toMatchObject({
      connectTimeoutMs: 7000,
      applicationName: 'team a',
      options: '-c search_path=tutti --work_mem=8MB',
      sessionAttributes: 'primary',
    })
    expect(parse('postgres://me@h/d?connect_timeout=0').connectTimeoutMs).toBeUndefined()
  })

  test.each([
    ['mysql://me@h/d', /^must be an address like postgres:\/\//],
    [
      'postgres://me@h/d?sslmode=no-verify',
      /^has sslmode=no-verify; it must be one of disable, allow, prefer,/,
    ],
    ['postgres://me@h/d?sslmode=verify-ca', /needs sslrootcert=FILE/],
    ['postgres://me@h/d?sslmode=require&sslrootcert=system', /needs sslmode=verify-full/],
    ['postgres://me@h/d?sslcert=/c.pem', /both sslcert and sslkey/],
    [
      'postgres://me@h/d?target_session_attrs=prefer-standby',
      /^has target_session_attrs=prefer-standby: Tutti writes/,
    ],
    ['postgres://me@h/d?target_session_attrs=fast', /there is no such value/],
    [
      'postgres://me@h/d?channel_binding=require',
      /^has the parameter "channel_binding", which is not supported/,
    ],
    ['postgres://me@h/d?sslmode=disable&sslmode=require', /"sslmode" twice/],
    ['postgres://me@h/d?connect_timeout=soon', /^has connect_timeout=soon/],
    ['postgres://me@h/d?options=-c%20statement_timeout%3D0', /the option "statement_timeout"/],
    ['postgres://me@h/d?options=-E', /^has options that cannot be read/],
    ['postgres://me@h:0/d', /a port is a number from 1 to 65535/],
    ['postgres://me@/d?host=a,b,c&port=1,2', /2 ports for 3 hosts/],
    ['postgres://me@h/d%zz', /percent-encoded/],
  ])('%s is refused with a reason', (url, reason) => {
    expect(refusal(url)).toMatch(reason)
  })

  test('with too many hosts, or too long, is refused', () => {
    expect(refusal(`postgres://me@${'h,'.repeat(16)}h/d`)).toMatch(/at most 16/)
    expect(refusal(`postgres://me@h/${'d'.repeat(9000)}`)).toMatch(/^must be an address/)
  })

  test.each([
    'postgres://me:hush@hush@h/d',
    'postgres://me:hush/hush@h/d',
    'postgres://me:12?hush=hush@h/d',
    'postgres://me:12/hush@h',
    'postgres://me:hush#hush@h/d',
    'postgres://me:hush%zz@h/d',
    'postgres://me:hush:hush@h/d?unknown=1',
    'postgres://me:hush@h/d?password=hush&sslmode=wrong',
  ])('a refused %s does not print the password', (url) => {
    expect(refusal(url)).not.toContain('hush')
  })
})
