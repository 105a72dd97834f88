-- Transcriptions of a list's annexes, the oldest first. Grain: one transcription. Parameters: register. Sort key: (register, added_at).
SELECT a.text AS text FROM sanctions_annexes AS a WHERE a.register = {register:String} ORDER BY a.added_at, a.sha256
