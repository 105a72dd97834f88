/**
 * One ClickHouse server in this process, on loopback: `chdb`'s shared library holds the whole server and can listen. It listens on HTTP alone; the TCP port is how it knows itself as the place of its own tables.
 * Arguments: directory, HTTP port, TCP port, config file. Lives until it is signalled; it never returns on its own.
 */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { DataType, load, open } from 'ffi-rs'

const [directory, httpPort, tcpPort, configFile] = process.argv.slice(2)
if (directory === undefined || httpPort === undefined || tcpPort === undefined || configFile === undefined) {
  throw new Error('usage: clickhouse-process DIRECTORY HTTP_PORT TCP_PORT CONFIG_FILE')
}

const require = createRequire(createRequire(import.meta.url).resolve('chdb'))
const library = join(dirname(require.resolve(`@chdb/lib-${process.platform}-${process.arch}-gnu/package.json`)), 'libchdb.so')
open({ library: 'chdb', path: library })

// The query keeps the library's main loop alive after the listeners have started; it costs one wake-up a second.
const listen = 'SYSTEM START LISTEN HTTP; SELECT sleepEachRow(1) FROM system.numbers SETTINGS max_block_size=1 FORMAT Null'
const argv = [
  'clickhouse', `--path=${directory}`, `--http_port=${httpPort}`, `--tcp_port=${tcpPort}`,
  '--listen_host=127.0.0.1', `--config-file=${configFile}`, '--query', listen,
]
load({
  library: 'chdb', funcName: 'chdb_query_cmdline', retType: DataType.External,
  paramsType: [DataType.I32, DataType.StringArray], paramsValue: [argv.length, argv],
})
