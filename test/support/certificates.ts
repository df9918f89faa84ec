import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A CA of the test, with a certificate for a server and one for a client. */
export interface Certificates {
  readonly ca: string
  readonly caFile: string
  /** The files of a server, whose names are `db.test` and `localhost`. */
  readonly files: Readonly<Record<'server.crt' | 'server.key', string>>
  /** For the role `certified`. */
  readonly clientCertificateFile: string
  readonly clientKeyFile: string
}

/** Makes the certificates with openssl. */
export async function createCertificates(folder: string): Promise<Certificates> {
  const at = (name: string) => join(folder, name)
  const newKey = (name: string) =>
    `-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ${at(`${name}.key`)}`

  async function issue(name: string, subject: string, extension: string): Promise<void> {
    await writeFile(at(`${name}.ext`), extension)
    openssl(`req ${newKey(name)} -subj /CN=${subject} -out ${at(`${name}.csr`)}`)
    openssl(
      `x509 -req -in ${at(`${name}.csr`)} -CA ${at('ca.crt')} -CAkey ${at('ca.key')} -CAcreateserial -days 2 -extfile ${at(`${name}.ext`)} -out ${at(`${name}.crt`)}`,
    )
  }

  openssl(`req -x509 ${newKey('ca')} -days 2 -subj /CN=test-ca -out ${at('ca.crt')}`)
  await issue('server', 'db.test', 'subjectAltName=DNS:db.test,DNS:localhost\n')
  await issue('client', 'certified', 'extendedKeyUsage=clientAuth\n')
  const read = (name: string) => readFile(at(name), 'utf8')
  return {
    caFile: at('ca.crt'),
    ca: await read('ca.crt'),
    files: { 'server.crt': await read('server.crt'), 'server.key': await read('server.key') },
    clientCertificateFile: at('client.crt'),
    clientKeyFile: at('client.key'),
  }
}

function openssl(words: string): void {
  execFileSync('openssl', words.split(' '), { stdio: 'pipe' })
}
