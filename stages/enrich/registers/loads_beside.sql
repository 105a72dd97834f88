-- What else was noted of a register under the same version of labels. Grain: one version of what was loaded. Parameters: register, version, next (version of labels). Sort key: register_loads (register).
SELECT DISTINCT r.version AS version FROM register_loads AS r WHERE r.register = {register:String} AND r.labels_version = {next:UInt64} AND r.version != {version:String}
