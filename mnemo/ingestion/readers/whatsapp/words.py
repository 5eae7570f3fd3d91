"""Phrases that WhatsApp itself writes into an export: English, German, Spanish, French, Italian, Portuguese, Dutch.

Only sentences that no person would send in these words; one pattern a kind, one line a language.
"""

import re

__all__ = ["ATTACHED", "CALL", "CHAT_TITLE", "DELETED", "EDITED", "EVENT", "LOCATION", "NOTICE", "OMITTED"]


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE | re.DOTALL)


CHAT_TITLE = re.compile(
    r"^(?:WhatsApp[ -]Chat (?:with|mit|met|-)|Chat (?:de )?WhatsApp (?:con|com|-)|Discussion WhatsApp avec|"
    r"Conversa do WhatsApp com)\s*",
    re.IGNORECASE,
)

OMITTED = _any(
    r"<?(?P<en>media|image|photo|video note|video|audio|sticker|gif|document|contact card|voice message|"
    r"view once (?:voice )?message) omitted>?",
    r"<?(?:Medien|Bild|Foto|Video|Videonachricht|Audio|Sticker|GIF|Dokument|Kontaktkarte|Sprachnachricht)"
    r" (?:ausgeschlossen|weggelassen)>?",
    r"<?(?:Multimedia|imagen|foto|video|videomensaje|audio|sticker|GIF|documento|tarjeta de contacto|archivo)"
    r" omitid[oa]s?>?",
    r"<?(?:Médias|image|photo|vidéo|message vidéo|audio|sticker|GIF|document|fiche contact|fichier)"
    r" (?:omis|omise|absent|absente|non inclus|non incluse|omises)>?",
    r"<?(?:Media|immagine|foto|video|videomessaggio|audio|sticker|GIF|documento|scheda contatto|file) omess[oaie]>?",
    r"<?(?:(?:Arquivo de )?mídia|ficheiro|multimédia|imagem|foto|vídeo|áudio|figurinha|autocolante|GIF|documento|"
    r"cartão de contato) (?:ocult(?:ad)?[oa]s?|omitid[oa]s?|não revelad[oa]s?)>?",
    r"<?(?:Media|afbeelding|foto|video|videobericht|audio|sticker|GIF|document|contactkaart|spraakbericht)"
    r" weggelaten>?",
)

_FILE = r"[^\n/<>]{1,200}\.\w{1,5}"
ATTACHED = re.compile(
    rf"(?:^(?P<caption>{_FILE}) • [^<\n]{{1,40}})?<(?:attached|angehängt|Anhang|adjunto|pièce jointe|"
    rf"allegato|anexado|anexo|bijgevoegd|bijlage)\s?: (?P<ios>[^>\n]+)>|"
    rf"^(?P<android>{_FILE}) \((?:file attached|Datei angehängt|archivo adjunto|fichier joint|file allegato|"
    r"arquivo anexado|ficheiro anexado|bestand bijgevoegd|bijgevoegd bestand)\)",
    re.IGNORECASE,
)

DELETED = _any(
    r"(?:you deleted this message|this message was deleted(?: by admin .{1,80})?)\.?",
    r"(?:Du hast diese Nachricht gelöscht|Diese Nachricht wurde (?:von .{1,60} )?gelöscht)\.?",
    r"(?:Eliminaste este mensaje|Se eliminó este mensaje|Este mensaje (?:fue|ha sido) eliminado|"
    r"Este mensaje se eliminó|Has eliminado este mensaje|Borraste este mensaje)\.?",
    r"(?:Vous avez supprimé ce message|Tu as supprimé ce message|Ce message a été supprimé)\.?",
    r"(?:Hai eliminato questo messaggio|Questo messaggio è stato eliminato)\.?",
    r"(?:Você apagou esta mensagem|Apagou esta mensagem|Apagaste esta mensagem|Eliminaste esta mensagem|"
    r"(?:Esta |Essa )?mensagem (?:foi )?(?:apagada|eliminada|excluída))\.?",
    r"(?:U hebt|Je hebt|Jij hebt) dit bericht verwijderd\.?|Dit bericht (?:is|werd) verwijderd\.?",
)

EDITED = _any(
    r"\s*<(?:This message was edited|Diese Nachricht wurde bearbeitet|Se editó este mensaje|Este mensaje se editó|"
    r"Este mensaje fue editado|Ce message a été modifié|Questo messaggio è stato modificato|"
    r"Mensagem editada|Esta mensagem foi editada|Dit bericht is bewerkt)\.?>\s*$"
)

_AFTER_CALL = (
    r"(?: (?:at|um|a las|à|alle|às|om) .{3,14}|"
    r"[,.] (?:\d.{1,20}|.{0,20}(?:call back|no answer|keine Antwort|zurückrufen).*))?\.?"
)
CALL = _any(
    rf"(?:missed|silenced|unanswered|declined)(?: group)? (?:voice|video) call{_AFTER_CALL}",
    r"(?:voice|video) call[,.] (?:\d.{1,20}|no answer|missed|declined)\.?",
    rf"(?:verpasster|abgelehnter|nicht angenommener)(?: Gruppen-?)? ?(?:Sprach|Video)anruf{_AFTER_CALL}",
    r"(?:Sprach|Video)anruf[,.] (?:\d.{1,20}|keine Antwort)\.?",
    rf"(?:llamada|videollamada)(?: de voz| grupal)* (?:perdida|sin respuesta|rechazada){_AFTER_CALL}",
    rf"appel (?:vocal|vidéo)(?: de groupe)? (?:manqué|sans réponse|refusé){_AFTER_CALL}",
    rf"(?:video)?chiamata(?: vocale| video| di gruppo)* (?:persa|senza risposta|rifiutata){_AFTER_CALL}",
    rf"(?:chamada|ligação)(?: de voz| de vídeo| de grupo| em grupo)* (?:perdida|não atendida|sem resposta|recusada)"
    rf"{_AFTER_CALL}",
    rf"gemiste? (?:groeps)?(?:spraak|video)?(?:oproep|gesprek){_AFTER_CALL}",
)

LOCATION = re.compile(r"\w[\w ]{2,30}: https?://(?:maps\.google\.com|www\.google\.com/maps|maps\.apple\.com)/\S+")

NOTICE = _any(
    r"messages (?:and calls|to this \w+|you send).*(?:end-to-end encrypted|secured).*",
    r"(?:Nachrichten und Anrufe|Nachrichten,? die du|Nachrichten an diese[nr]?|Nachrichten in diesem).*verschlüsselt.*",
    r"(?:los mensajes y (?:las )?llamadas|los mensajes (?:que|en|de)).*(?:cifrad|extremo a extremo).*",
    r"les messages (?:et (?:les )?appels|que vous|envoyés|dans).*(?:chiffré|bout en bout).*",
    r"i messaggi (?:e le chiamate|che invii|inviati|in).*(?:crittograf|end-to-end).*",
    r"as mensagens (?:e (?:as )?(?:ligações|chamadas)|que|enviadas|desta|nesta).*"
    r"(?:criptograf|encripta|ponta a ponta).*",
    r"(?:berichten en (?:gesprekken|oproepen)|berichten die|berichten in).*(?:versleuteld|end-to-end).*",
    r"(?:waiting for this message|Warte auf diese Nachricht|Esperando (?:el|este) mensaje|En attente de ce message|"
    r"In attesa del messaggio|Aguardando (?:esta )?mensagem|Wachten op (?:dit )?bericht)(?:\.\s[^.]{5,80})*\.?",
    r"(?:your|the) security code with .*changed.*|(?:Deine|Ihre) Sicherheitsnummer für .*geändert.*|"
    r"(?:Tu|El) código de seguridad con .*(?:cambi|ha cambiado).*|(?:Votre|Le) code de sécurité (?:avec|de) .*changé.*|"
    r"(?:Il tuo|Il) codice di sicurezza (?:con|di) .*cambiat.*|(?:Seu|O seu) código de segurança com .*mudou.*|"
    r"(?:Je|Uw) beveiligingscode (?:met|voor) .*(?:gewijzigd|veranderd).*",
    r"null\.?",
)

EVENT = _any(
    r".* (?:created|changed|joined|added|removed|left|deleted|pinned|turned (?:on|off)|started|updated)\b(?! to me).*",
    r".* (?:hat|hast|haben|ist|bist|wurde|wurdest) .*(?:erstellt|geändert|hinzugefügt|entfernt|beigetreten|verlassen|"
    r"gelöscht|angeheftet|aktiviert|deaktiviert|gestartet|aktualisiert)\.?",
    r".* (?:creó|creaste|cambió|cambiaste|se unió|te uniste|añadió|añadiste|agregó|eliminó|salió|saliste|activó|"
    r"desactivó|fijó|ha creado|ha cambiado|ha añadido|ha eliminado|ha salido)\b.*",
    r".* (?:a|as|avez|ont|est|êtes) (?:créé|modifié|changé|ajouté|retiré|supprimé|rejoint|quitté|épinglé|activé|"
    r"désactivé|été ajoutée?|été retirée?)\b.*",
    r".* (?:ha|hai|hanno|è|sei) (?:creato|modificato|cambiato|aggiunto|rimosso|abbandonato|eliminato|fissato|attivato|"
    r"disattivato|entrat[oa]|uscit[oa]|stat[oa] aggiunt[oa]|stat[oa] rimoss[oa])\b.*",
    r".* (?:criou|mudou|alterou|adicionou|removeu|entrou|saiu|apagou|fixou|ativou|desativou|foi adicionad[oa]|"
    r"foi removid[oa])\b.*",
    r".* (?:heeft|hebt|hebben|is|bent) .*(?:aangemaakt|gemaakt|gewijzigd|toegevoegd|verwijderd|verlaten|toegetreden|"
    r"deelgenomen|vastgemaakt|ingeschakeld|uitgeschakeld)\.?",
)
