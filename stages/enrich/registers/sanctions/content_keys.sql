-- Keys of the addresses of a content. Grain: one key. Parameters: register, content. Sort key: (register, content, …).
SELECT DISTINCT d.key AS key FROM designations AS d WHERE d.register = {register:String} AND d.content = {content:String}
