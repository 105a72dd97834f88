/** The process under measurement: clusters until nothing waits. Arguments: URL and database. One line of JSON for each run: what was done. */
import { openClusterThread } from '../../../stages/clusters/clusterThread.js'

const [url = '', database = ''] = process.argv.slice(2)
const clusters = openClusterThread(url, database)
process.stdout.write('ready\n')
for (;;) {
  const run = await clusters.run('BTC', { seconds: 10 })
  process.stdout.write(`${JSON.stringify(run)}\n`)
  if (run === null) break
}
// Until it is ended: its size is looked at from outside.
setInterval(() => undefined, 1_000)
