#pragma once
#include <libxml/xmlversion.h>
// Debian's libxml2 is built with ICU and would bring that library's headers along, which contradict
// those of Foundation's own ICU. Nothing here looks into the structures that depend on it.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
