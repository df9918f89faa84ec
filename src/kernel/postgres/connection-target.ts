/** How a connection is encrypted, and what of the server's certificate is verified. The names and their meaning are libpq's. */
export type TlsMode = 'disable' | 'allow' | 'prefer' | 'require' | 'verify-ca' | 'verify-full'

/** What the server of a connection must allow. */
export type SessionAttributes = 'any' | 'read-write' | 'primary'

export interface HostAddress {
  /** A host name, an address, or the folder of a Unix socket. */
  readonly host: string
  readonly port: number
}

/** Everything that is needed to open a connection, as plain data: a thread gets it too. */
export interface ConnectionTarget {
  /** The setting that errors name. */
  readonly variable: string
  readonly hosts: readonly HostAddress[]
  readonly user: string
  readonly database: string
  readonly password: string | undefined
  /** Read again for each connection. */
  readonly passwordFile: string | undefined
  readonly tls: {
    readonly mode: TlsMode
    /** A file of certificates, or `system`. */
    readonly rootCertificate: string | undefined
    readonly certificate: string | undefined
    readonly key: string | undefined
  }
  /** Time limit of one host; undefined: the default. */
  readonly connectTimeoutMs: number | undefined
  readonly applicationName: string
  /** Options of the command line of PostgreSQL, such as `-c search_path=tutti`. */
  readonly options: string | undefined
  readonly sessionAttributes: SessionAttributes
}
