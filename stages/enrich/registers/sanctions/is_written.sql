-- Whether an attempt is the one that was written as a version. Grain: one row. Parameters: register, version, status, content, sha256, loaded_at (Unix milliseconds). Sort key: (register, version).
SELECT count() AS rows FROM sanctions_loads AS l
WHERE l.register = {register:String} AND l.version = {version:UInt64} AND l.status = {status:String} AND l.content = {content:String} AND l.sha256 = {sha256:String} AND toUnixTimestamp64Milli(l.loaded_at) = {loaded_at:Int64}
