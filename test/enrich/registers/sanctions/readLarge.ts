/** Reads an advanced XML of OFAC of at least as many bytes as the first argument says, from a file it makes, and prints what it found and its largest resident size. A process of its own: memory of the tests is not its. */
import { closeSync, createReadStream, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readOfac } from '../../../../stages/enrich/registers/sanctions/ofac.js'
import { ofacXml } from './support.js'

const least = Number(process.argv[2])
const directory = mkdtempSync(join(tmpdir(), 'hydrophone-large-list-'))
try {
  const file = join(directory, 'list.xml')
  const [head = '', tail = ''] = ofacXml('2026-01-02', [{ id: '1', name: 'A & B', addresses: [['ETH', `0x${'1'.repeat(40)}`], ['XBT', 'x'.repeat(34)]] }]).split('</DistinctParties>')
  const out = openSync(file, 'w')
  let size = writeSync(out, head)
  for (let id = 2; size < least; id += 1) {
    size += writeSync(out, Array.from({ length: 500 }, (_, at) => `<DistinctParty FixedRef="${id}-${at}"><Comment /><Profile ID="${id}-${at}"><Identity ID="1"><Alias Primary="true"><DocumentedName><DocumentedNamePart><NamePartValue>Somebody without an address ${at}</NamePartValue></DocumentedNamePart></DocumentedName></Alias></Identity><Feature ID="1" FeatureTypeID="13"><FeatureVersion ID="1"><VersionDetail DetailTypeID="1432">born ${at}</VersionDetail></FeatureVersion></Feature></Profile></DistinctParty>\n`).join(''))
  }
  size += writeSync(out, `</DistinctParties>${tail}`)
  closeSync(out)
  const { entries, listings } = await readOfac(createReadStream(file))
  // Of this process since its program began: what the system counts as its usage (maxRSS) begins with what whoever started it had.
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  process.stdout.write(JSON.stringify({ size, entries, listings: listings.length, resident: Number(kilobytes) * 1_024 }))
} finally { rmSync(directory, { recursive: true, force: true }) }
